/* SPDX-License-Identifier: ISC */
#include "io/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "io/os.h"
#include "io/out.h"

/* sanitizers need files and calls of their own */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif

#if defined(HAVE_LANDLOCK) && !defined(SANITIZED)
#define FILES
#include <linux/landlock.h>
#endif
#if defined(HAVE_SECCOMP) && !defined(SANITIZED)
#define CALLS
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#endif
#if defined(FILES) || defined(CALLS)
#include <sys/syscall.h>
#endif

#ifdef FILES

/* Newer than some headers: linux/landlock.h of version 2, 3, and 6. */
#define REFER ((uint64_t)1 << 13)
#define TRUNCATE ((uint64_t)1 << 14)
#define SCOPES ((uint64_t)3)	/* abstract sockets, signals */

#define READS ((uint64_t)LANDLOCK_ACCESS_FS_READ_FILE)
#define CHANGES (READS | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | \
    LANDLOCK_ACCESS_FS_REMOVE_FILE | TRUNCATE)
#define TREES (CHANGES | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
    REFER)
#define ALL (TREES | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | \
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
    LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

/* Those that the system knows. */
static uint64_t known;

int
taf_rights_begin(void)
{
	struct {
		uint64_t files, network, scopes;
	} all = { 0, 0, 0 };
	/* the one flag asks for the version */
	const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);

	/* without REFER no file could move to another folder */
	if (version < 2)
		return -1;
	known = version < 3 ? ALL & ~TRUNCATE : ALL;
	all.files = known;
	all.scopes = version >= 6 ? SCOPES : 0;
	/* an older system takes members that it does not know if they are 0 */
	return (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
}

void
taf_rights_allow_at(int rights, int fd, enum taf_right right)
{
	static const uint64_t sets[] = { 0, READS, CHANGES, TREES };
	struct landlock_path_beneath_attr below = { .allowed_access = sets[right] & known,
		.parent_fd = fd };
	struct stat st;

	if (rights < 0 || fd < 0 || fstat(fd, &st) != 0)
		return;
	if (!S_ISDIR(st.st_mode))
		below.allowed_access &= READS | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE;
	(void)syscall(SYS_landlock_add_rule, rights, LANDLOCK_RULE_PATH_BENEATH, &below,
	    0);
}

void
taf_rights_allow(int rights, const char *path, enum taf_right right)
{
	const int fd = rights >= 0 ? open(path, O_PATH | O_CLOEXEC) : -1;

	taf_rights_allow_at(rights, fd, right);
	if (fd >= 0)
		(void)close(fd);
}

static bool
drop_files(int rights)
{
	return rights >= 0 && syscall(SYS_landlock_restrict_self, rights, 0) == 0;
}
#else
int
taf_rights_begin(void)
{
	return -1;
}

void
taf_rights_allow_at(int rights, int fd, enum taf_right right)
{
	(void)rights, (void)fd, (void)right;
}

void
taf_rights_allow(int rights, const char *path, enum taf_right right)
{
	(void)rights, (void)path, (void)right;
}

static bool
drop_files(int rights)
{
	(void)rights;
	return false;
}
#endif

/* The folder in which path has its name. */
static void
allow_beside(int rights, const char *path, enum taf_right right)
{
	char *const folder = strdup(path);
	size_t n = folder != NULL ? strlen(folder) : 0;
	char *slash;

	while (n > 1 && folder[n - 1] == '/')
		folder[--n] = '\0';
	slash = folder != NULL ? strrchr(folder, '/') : NULL;
	if (slash != NULL)
		slash[slash == folder] = '\0';
	if (folder != NULL)
		taf_rights_allow(rights, slash != NULL ? folder : ".", right);
	free(folder);
}

static void
allow_input(int rights, const struct taf_confine *c, const char *path)
{
	taf_rights_allow(rights, path, c->right);
	if (c->beside != TAF_RIGHT_NONE)
		allow_beside(rights, path, c->beside);
}

/* What is no regular file is written directly. */
static void
allow_output(int rights, const char *path, enum taf_right right)
{
	char *const target = taf_out_resolve(path);

	taf_rights_allow(rights, path, right);
	if (target != NULL)
		allow_beside(rights, target, right);
	free(target);
}

#ifdef CALLS
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define MACHINE AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define MACHINE AUDIT_ARCH_ARM
#elif defined(__s390x__)
#define MACHINE AUDIT_ARCH_S390X
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define MACHINE AUDIT_ARCH_PPC64LE
#else
#define MACHINE 0
#endif

/* Calls that speak to others. */
static const unsigned speaking[] = {
	SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept4,
#ifdef SYS_accept
	SYS_accept,
#endif
};

#ifdef SYS_socketcall
/* The same by the one call that some machines have for all: its first argument. */
static const unsigned spoken[] = { 1, 2, 3, 4, 5, 18 };
enum { SPOKEN = COUNT(spoken) + 1 };
#else
enum { SPOKEN = 0 };
#endif

/*
 * Calls that run programs, look into other processes, change the system or a file by its
 * name where Landlock does not look, or do such things in a way of their own.
 */
static const unsigned others[] = {
	SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
	SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_mount,
	SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_init_module,
	SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon,
	SYS_swapoff, SYS_acct, SYS_sethostname, SYS_setdomainname, SYS_quotactl,
	SYS_personality, SYS_fanotify_init, SYS_name_to_handle_at, SYS_open_by_handle_at,
	SYS_truncate, SYS_fchmodat, SYS_fchownat, SYS_mq_open, SYS_mq_unlink,
#ifdef SYS_shmget
	SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semctl, SYS_msgget, SYS_msgctl,
#endif
#ifdef SYS_ipc
	SYS_ipc,
#endif
#ifdef SYS_chmod
	SYS_chmod, SYS_chown, SYS_lchown,
#endif
#ifdef SYS_chown32
	SYS_chown32, SYS_lchown32,
#endif
#ifdef SYS_truncate64
	SYS_truncate64,
#endif
#ifdef SYS_uselib
	SYS_uselib,
#endif
#ifdef SYS_userfaultfd
	SYS_userfaultfd,
#endif
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
	/* newer ones have one number everywhere */
	425, 426, 427,		/* io_uring_setup, _enter, _register */
	428, 429, 430, 431, 432, 433, 442,	/* open_tree ... fspick, mount_setattr */
	438,			/* pidfd_getfd */
	452, 463,		/* fchmodat2, setxattrat */
};

/* Refuse n calls: what is not in the list passes on. */
static struct sock_filter *
refuse(struct sock_filter *p, const unsigned *calls, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++) {
		*p++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[k],
		    0, 1);
		*p++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
		    SECCOMP_RET_ERRNO | EPERM);
	}
	return p;
}

static bool
drop_calls(bool network)
{
	enum { LOW = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0 };
	static const unsigned typing[] = { TIOCSTI, TIOCLINUX };
	const struct sock_filter begin[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		/* x86 has others, with this bit, under the same name of the machine */
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#ifdef SYS_socketcall
	}, socketcall[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketcall, 0,
		    1 + 2 * COUNT(spoken)),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, args[0]) + LOW),
#endif
	}, terminal[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		/* what is typed into a terminal so, a shell runs */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 1 + 2 * COUNT(typing)),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, args[1]) + LOW),
	}, end = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_filter code[COUNT(begin) + COUNT(terminal) + 1 + 2 *
	    (COUNT(speaking) + COUNT(others) + COUNT(typing) + SPOKEN)], *p = code;
	struct sock_fprog program = { .filter = code };

	memcpy(p, begin, sizeof begin);
	p = refuse(p + COUNT(begin), others, COUNT(others));
	if (!network)
		p = refuse(p, speaking, COUNT(speaking));
#ifdef SYS_socketcall
	if (!network) {
		memcpy(p, socketcall, sizeof socketcall);
		p = refuse(p + COUNT(socketcall), spoken, COUNT(spoken));
	}
#endif
	memcpy(p, terminal, sizeof terminal);
	p = refuse(p + COUNT(terminal), typing, COUNT(typing));
	*p++ = end;
	program.len = (unsigned short)(p - code);
	/* without the second flag older processors run slower from here on */
	return MACHINE != 0 && (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_TSYNC | 4, &program) == 0 || (errno == EINVAL &&
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
	    &program) == 0));
}
#else
static bool
drop_calls(bool network)
{
	(void)network;
	return false;
}
#endif

const char *
taf_rights_drop(int rights, bool network)
{
	static const char *const words[] = { "all of the user's",
		"few calls (seccomp)", "few files (Landlock)",
		"few files and calls (Landlock, seccomp)" };
	unsigned done = 0;

	if (taf_os_renounce())
		done = 2U * drop_files(rights) + drop_calls(network);
	if (rights >= 0)
		(void)close(rights);
	return words[done];
}

const char *
taf_confine(const struct taf_confine *c)
{
	const int rights = taf_rights_begin();
	const char *const spool = getenv("TMPDIR");
	int k;

	if (c->file != NULL)
		allow_input(rights, c, c->file);
	for (k = 0; k < c->n; k++)
		if (c->more[k] != NULL)
			allow_input(rights, c, c->more[k]);
	if (c->output != NULL)
		allow_output(rights, c->output, TAF_RIGHT_CHANGE);
	if (c->data != NULL)
		allow_output(rights, c->data, TAF_RIGHT_CHANGE);
	if (c->store != NULL)
		allow_output(rights, c->store, TAF_RIGHT_TREE);
	if (c->store != NULL)
		taf_rights_allow(rights, "/", TAF_RIGHT_READ);
	if (c->folder != NULL)
		taf_rights_allow(rights, c->folder, TAF_RIGHT_CHANGE);
	taf_rights_allow(rights, "/dev/stdout", TAF_RIGHT_CHANGE);
	taf_rights_allow(rights, "/dev/null", TAF_RIGHT_CHANGE);
	taf_rights_allow(rights, spool != NULL && spool[0] != '\0' ? spool : "/tmp",
	    TAF_RIGHT_CHANGE);
	return taf_rights_drop(rights, false);
}
