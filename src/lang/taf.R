# SPDX-License-Identifier: ISC
# TAF files and packed RSF streams in R: source("taf.R").  taf-python(7) is the manual.
.taf_types <- c(int8 = "char", uint8 = "uchar", int16 = "short", uint16 = "ushort", int32 = "int", uint32 = "uint",
  int64 = "long", uint64 = "ulong", flt32 = "float", flt64 = "double", complex = "complex")
.taf_size <- function(type) if (type == "complex") 8 else as.integer(sub("\\D+", "", type)) / 8
# n elements of that type from raw bytes
.taf_elements <- function(p, type, n, endian = "little") {
  size <- .taf_size(type)
  if (startsWith(type, "flt")) return(readBin(p, "double", n, size, endian = endian))
  v <- if (type == "complex") matrix(readBin(p, "double", 2 * n, 4, endian = endian), 2)
  if (type == "complex") return(complex(n, v[1, ], v[2, ]))
  if (size < 4) return(as.double(readBin(p, "integer", n, size, !startsWith(type, "u"), endian)))
  # by 16 bits, the first row the highest: the smallest integer of 32 bits is NA to R
  v <- matrix(readBin(p, "integer", n * size / 2, 2, FALSE, endian), size / 2)
  if (endian == "little") v <- v[nrow(v):1, , drop = FALSE]
  x <- v[1, ] - 65536 * (startsWith(type, "int") & v[1, ] >= 32768)
  for (i in 2:nrow(v)) x <- x * 65536 + v[i, ]
  if (any(abs(x) >= 2^53)) stop("integers from 2^53 on are not exact here") else x
}
# %XX is a byte: of all bytes in a key, of those that no header holds in a value
.taf_unescape <- function(s, key = FALSE) {
  m <- gregexpr(if (key) "%[0-9A-Fa-f]{2}" else "%([01][0-9A-Fa-f]|22|25|7[Ff])", s)
  regmatches(s, m) <- lapply(regmatches(s, m), vapply, function(code) rawToChar(as.raw(strtoi(substring(code, 2), 16))), "")
  s
}
.taf_facts <- function(n, start, step, keys, values, comment, e, mapping) {
  f <- list(start = start, step = step, label = rep("", length(n)), unit = rep("", length(n)), comment = comment, attrs = list())
  dims <- regmatches(keys, regexec("^(label|unit)@?([1-9][0-9]*)$", keys))
  for (i in seq_along(keys)) {
    k <- as.numeric(dims[[i]][3])
    if (k %in% seq_along(n)) f[[dims[[i]][2]]][k] <- values[i] else f$attrs[[.taf_unescape(keys[i], TRUE)]] <- values[i]
  }
  list(n = n, e = e, mapping = mapping, facts = f)
}
.taf_file <- function(p, name) {
  word <- function(at, type = "flt64") .taf_elements(p[at + 1:8], type, 1)
  if (length(p) < 1080 || p[4] != 32 || p[5] != 1 || p[8] != 10) stop(name, ": no TAF file of version 1, or cut")
  changing <- length(grepRaw("\nBeing changed: wait", p[513:1024], fixed = TRUE)) > 0
  if (changing || file.exists(paste0(name, ".undo"))) stop(name, ": a change of it was interrupted")
  type <- sub("^float", "flt", sub(" +$", "", rawToChar(p[1025:1032][cumprod(p[1025:1032] != 0) == 1])))
  ndim <- word(1048, "uint64")
  if (!type %in% names(.taf_types)[1:10] || ndim < 1 || ndim > 64) stop(name, ": unknown type or dimensions")
  at <- 1032 + 24 * seq_len(ndim)
  n <- sapply(at, word, "uint64")
  behind <- 1056 + 24 * ndim + prod(n) * .taf_size(type)
  if (length(p) < behind) stop(name, ": the file ends before its data: ", length(p), " bytes, not ", behind)
  text <- rawToChar(p[-seq_len(behind)])
  mark <- max(gregexpr("(?<![^\n])--- attributes ---\n", text, perl = TRUE, useBytes = TRUE)[[1]])
  block <- if (mark > 0) strsplit(substring(text, mark + 19), "\n", fixed = TRUE)[[1]]
  if (!all(grepl("^[^ \"=]+=", block, useBytes = TRUE))) block <- NULL else if (mark > 0) text <- substring(text, 1, mark - 2)
  one <- "ndim=1" %in% block && ndim == 2
  planes <- "complex=1" %in% block && n[ndim] == 2 && startsWith(type, "flt")
  block <- setdiff(block, c("ndim=1", "complex=1"))
  e <- matrix(.taf_elements(p[-seq_len(1056 + 24 * ndim)], type, prod(n)), ncol = 1 + planes)
  if (planes) e <- complex(nrow(e), e[, 1], e[, 2])
  if (planes && ndim == 2 && !one) n[2] <- 1 else if (planes || (one && n[2] == 1)) at <- at[-ndim]
  values <- .taf_unescape(sub("^\"(.*)\"$", "\\1", sub("^[^=]*=", "", block)))
  .taf_facts(n[seq_along(at)], sapply(at + 8, word), sapply(at + 16, word), sub("=.*", "", block), values, text, e,
    sapply(c(1032, 1040), word))
}
.taf_stream <- function(p, name) {
  end <- grepRaw("\n\f\f\004", p, fixed = TRUE)
  if (!length(end)) stop(name, ": neither TAF nor a packed RSF stream, or cut")
  lines <- grep("[^[:space:]]", strsplit(rawToChar(p[seq_len(end)]), "\n", fixed = TRUE)[[1]], value = TRUE)
  history <- grepl("^[^[:space:]=]+([[:space:]]|$)", lines)
  if (any(diff(history) > 0)) stop(name, ": another program has changed the header: put tafcrop behind it")
  words <- unlist(regmatches(lines[!history], gregexpr("(?:[^\\s\"]|\"[^\"]*\")+", lines[!history], perl = TRUE)))
  keys <- sub("=.*", "", words)
  values <- gsub("^\"|\"$", "", sub("^[^=]*=", "", words))
  get <- function(key, default = "") if (key %in% keys) values[max(which(keys == key))] else default
  form <- strsplit(get("data_format", "_"), "_")[[1]]
  type <- get("taf_format", names(.taf_types)[match(form[2], .taf_types)])
  if (!type %in% names(.taf_types) || .taf_types[[type]] != form[2] || !form[1] %in% c("native", "xdr") || get("in") != "stdin")
    stop(name, ": elements in text, of complex128 or in another file: use tafcrop -o NAME.taf")
  k <- length(unique(grep("^n[1-9][0-9]*$", keys, value = TRUE)))
  grid <- function(key, default) as.double(sapply(paste0(key, seq_len(k)), get, default))
  n <- suppressWarnings(grid("n", ""))
  if (k == 0 || anyNA(n) || any(n < 0 | n != floor(n))) stop(name, ": no n1, or a gap")
  data <- p[-seq_len(end + 3)]
  bytes <- prod(n) * .taf_size(type)
  last <- charToRaw(switch(get("taf_next", "0"), "0" = "", unknown = "\ttaf_end=1\n\tin=\"stdin\"\n\n\f\f\004", "?"))
  if (length(data) < bytes) stop(name, ": data of ", bytes, " bytes, but ", length(data), " are there")
  if (!identical(data[seq_along(data) > bytes], last)) stop(name, ": several arrays, or the program before has failed")
  e <- .taf_elements(data, type, prod(n), if (form[1] == "xdr") "big" else get("taf_order", .Platform$endian))
  for (i in rev(which(keys == "taf_more"))) values[i - 1] <- paste0(values[i - 1], values[i])
  own <- grepl("^(n|o|d)[1-9][0-9]*$|^taf_|^(in|esize|data_format)$", keys)
  values <- .taf_unescape(values)
  .taf_facts(n, grid("o", "0"), grid("d", "1"), keys[!own], values[!own], paste(values[keys == "taf_comment"], collapse = "\n"), e,
    as.double(c(get("taf_intercept", "Inf"), get("taf_slope", "Inf"))))
}
taf_open <- function(name, stored = FALSE) {
  p <- readBin(name, "raw", file.size(name))
  f <- if (identical(head(p, 3), charToRaw("TAF"))) .taf_file(p, name) else .taf_stream(p, name)
  structure(array(if (!stored && all(is.finite(f$mapping))) f$mapping[1] + f$mapping[2] * f$e else f$e, f$n), taf = f$facts)
}
taf_grid <- function(x, k) attr(x, "taf")$start[k] + (seq_len(dim(x)[k]) - 1) * attr(x, "taf")$step[k]
.taf_bytes <- function(x, type) {
  size <- .taf_size(type)
  if (type == "flt32" && any(abs(x[is.finite(x)]) > 3.4028234663852886e38)) stop("values beyond flt32")
  if (startsWith(type, "flt")) return(writeBin(as.double(x), raw(), size, "little"))
  low <- if (startsWith(type, "u")) 0 else -2^(8 * size - 1)
  if (anyNA(x) || any(x != round(x) | x < low | x >= low + 2^(8 * size) | abs(x) >= 2^53)) stop("values that no ", type, " is")
  word <- 2^(8 * min(size, 4))
  v <- (if (size == 8) rbind(c(x), floor(c(x) / word)) else x) %% word
  # the smallest integer is NA to R
  writeBin(suppressWarnings(as.integer(v - word * (v >= word / 2))), raw(), min(size, 4), "little")
}
# what a stranger needs to read the file
.taf_synopsis <- formatC(paste0("Thrifty Array Format, little-endian. 1024: element type (8 characters); 1032: intercept a, 1040: slope b (float64,",
  " value a + b*x if both are finite); 1048: dimensions N (uint64); 1056: for each length (uint64), start, step (float64);",
  " then elements, dimension 1 fastest; then comments."), width = -1016)
taf_save <- function(name, x, start = 1, step = 1, label = "", unit = "", comment = "", type = "flt64") {
  n <- if (is.null(dim(x))) length(x) else dim(x)
  k <- length(n)
  fill <- function(v, none) if (length(v) == k) v else if (identical(v, none)) rep(v, k) else stop("not an entry for each dimension")
  grid <- rbind(fill(start, 1), fill(step, 1))
  names <- rbind("label", fill(label, ""), "unit", fill(unit, ""))
  if (!type %in% names(.taf_types)[1:10] || any(grid[2, ] == 0 | !is.finite(grid[2, ]))) stop("no type, or a step of 0")
  if (any(grepl("[[:cntrl:]\"%]", names))) stop("a label or unit with a quote, % or control byte")
  if (is.complex(x) && !startsWith(type, "flt")) stop("complex values take flt32 or flt64")
  words <- sprintf("%s@%d=%s\n", names[c(1, 3), ], rep(1:k, each = 2), names[c(2, 4), ])[nzchar(names[c(2, 4), ])]
  block <- c(if (k == 1) "ndim=1\n", if (is.complex(x)) "complex=1\n", words)
  comment <- paste(c(comment, if (nzchar(comment) && length(block)) "\n", if (length(block)) "--- attributes ---\n", block), collapse = "")
  if (is.complex(x)) n <- if (k == 2 && n[2] == 1) c(n[1], 2) else c(n, 2) else if (k == 1) n <- c(n, 1)
  dims <- rbind(matrix(.taf_bytes(n, "uint64"), 8), matrix(.taf_bytes(cbind(grid, c(1, 1))[, seq_along(n)], "flt64"), 16))
  head <- c(charToRaw("TAF "), as.raw(c(1, 0, 0, 10)), charToRaw(.taf_synopsis), charToRaw(type), raw(8 - nchar(type)))
  p <- c(head, .taf_bytes(c(Inf, Inf), "flt64"), .taf_bytes(length(n), "uint64"), dims,
    .taf_bytes(if (is.complex(x)) c(Re(x), Im(x)) else x, type), charToRaw(enc2utf8(comment)))
  f <- paste0(name, ".", Sys.getpid(), ".tmp")
  on.exit(unlink(f))
  writeBin(p, f)
  if (!identical(file.size(f), as.double(length(p))) || !file.rename(f, name)) stop(name, ": cannot write")
}
taf_run <- function(words, x = NULL) {
  f <- tempfile(c("in", "out", "err"))
  on.exit(unlink(f))
  if (!is.null(x)) taf_save(f[1], x)
  status <- system2(words[1], shQuote(words[-1]), f[2], f[3], if (is.null(x)) "/dev/null" else f[1])
  said <- paste(readLines(f[3]), collapse = "\n")
  if (status != 0) stop(words[1], ": status ", status, ": ", said) else if (nzchar(said)) warning(said)
  taf_open(f[2])
}
