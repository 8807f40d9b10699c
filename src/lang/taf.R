# SPDX-License-Identifier: ISC
# TAF files and packed RSF streams in R: source("taf.R").  taf-python(7) is the manual.
.taf_types <- c(int8 = "char", uint8 = "uchar", int16 = "short", uint16 = "ushort", int32 = "int", uint32 = "uint",
  int64 = "long", uint64 = "ulong", flt32 = "float", flt64 = "double", complex = "complex")
.taf_size <- function(type) if (type == "complex") 4 else as.integer(sub("\\D+", "", type)) / 8
.taf_numbers <- function(p, type, n, endian = "little") {
  size <- .taf_size(type)
  if (length(p) < n * size) stop("data of ", n * size, " bytes, but ", length(p), " are there")
  if (grepl("^(flt|complex)", type)) return(readBin(p, "double", n, size, endian = endian))
  x <- as.double(readBin(p, "integer", n * max(size / 4, 1), min(size, 4), size > 2 || startsWith(type, "int"), endian))
  x[is.na(x)] <- -2^31 # the smallest integer of 32 bits is NA to R
  words <- matrix(if (size == 8 && endian == "little") x[seq_along(x) + c(1, -1)] else x, max(size / 4, 1))
  x <- if (startsWith(type, "int")) words[1, ] else words[1, ] %% 2^32
  if (size == 8) x <- x * 2^32 + words[2, ] %% 2^32
  if (any(abs(x) >= 2^53)) stop("integers from 2^53 on are not exact here") else x
}
.taf_lines <- function(p, s = rawToChar(p)) strsplit(`Encoding<-`(s, if (validUTF8(s)) "UTF-8" else "latin1"), "\n", fixed = TRUE)[[1]]
# %XX is a byte: of all bytes in a key, of those that no header holds in a value
.taf_unescape <- function(s, codes = "%([01][0-9A-Fa-f]|22|25|7[Ff])", m = gregexpr(codes, s))
  `regmatches<-`(s, m, value = lapply(regmatches(s, m), vapply, utils::URLdecode, ""))
.taf_array <- function(e, real, mapping, grid, keys, values, comment) { # grid: length, start, step; real: which are real parts
  f <- list(start = grid[2, ], step = grid[3, ], label = rep("", ncol(grid)), unit = rep("", ncol(grid)), comment = comment, attrs = list())
  at <- match(sub("^(label|unit)@?", "\n", keys), paste0("\n", seq_len(ncol(grid))))
  for (i in which(!is.na(at))) f[[sub("@?[0-9]+$", "", keys[i])]][at[i]] <- .taf_unescape(values[i])
  for (i in which(is.na(at))) f$attrs[[.taf_unescape(keys[i], "%[0-9A-Fa-f]{2}")]] <- .taf_unescape(values[i])
  if (!is.null(real)) e <- complex(real = e[real], imaginary = e[!real])
  structure(array(if (all(is.finite(mapping))) mapping[1] + mapping[2] * e else e, grid[1, ]), taf = f)
}
.taf_file <- function(p, name, stored, mapping = .taf_numbers(p[1033:1048], "flt64", 2)) {
  word <- function(at, type = "flt64") .taf_numbers(p[at + 1:8], type, 1)
  if (length(p) < 1080 || p[4] != 32 || p[5] != 1 || p[8] != 10) stop("no TAF file of version 1, or cut")
  if (length(grepRaw("\nBeing changed: wait", p[513:1024])) || file.exists(paste0(name, ".undo"))) stop("a change of it was interrupted")
  type <- sub("^float", "flt", sub(" +$", "", rawToChar(p[1025:1032][cumprod(p[1025:1032] != 0) == 1])))
  k <- word(1048, "uint64")
  if (!type %in% names(.taf_types)[1:10] || k < 1 || k > 64) stop("unknown type or dimensions")
  grid <- vapply(1032 + 24 * seq_len(k), function(at) c(word(at, "uint64"), word(at + 8), word(at + 16)), double(3))
  data <- p[-seq_len(1056 + 24 * k)]
  e <- .taf_numbers(data, type, prod(grid[1, ]))
  lines <- head(.taf_lines(c(data[seq_along(data) > length(e) * .taf_size(type)], charToRaw("\n."))), -1) # empty ones too
  mark <- max(which(!grepl("^[^ \"=]+=", head(lines, -1))), 0)
  if (!identical(lines[c(mark, length(lines))], c("--- attributes ---", ""))) mark <- Inf
  block <- lines[seq_along(lines) > mark]
  has <- c("ndim=1", "complex=1") %in% block & c(k == 2, grid[1, k] == 2 && startsWith(type, "flt") && !all(is.finite(mapping)))
  block <- setdiff(block, c("", "ndim=1", "complex=1"))
  if (has[2] && k == 2 && !has[1]) grid[1, 2] <- 1 else if (has[2] || (has[1] && grid[1, 2] == 1)) grid <- grid[, -k, drop = FALSE]
  .taf_array(e, if (has[2]) seq_along(e) <= length(e) / 2, if (stored) NA else mapping, grid, sub("=.*", "", block),
    sub("^\"(.*)\"$", "\\1", sub("^[^=]*=", "", block)), paste(lines[seq_along(lines) < mark], collapse = "\n"))
}
.taf_stream <- function(p, name, stored) {
  end <- grepRaw("\n\f\f\004", p, fixed = TRUE)
  if (!length(end)) stop("neither TAF nor a packed RSF stream, or cut")
  lines <- grep("[^[:space:]]", .taf_lines(p[seq_len(end)]), value = TRUE)
  history <- grepl("^[^[:space:]=]+([[:space:]]|$)", lines)
  if (any(diff(history) > 0)) stop("another program has changed the header: put tafcrop behind it")
  words <- unlist(regmatches(lines[!history], gregexpr("(?:[^\\s\"]|\"[^\"]*\")+", lines[!history], perl = TRUE)))
  keys <- sub("=.*", "", words)
  values <- gsub("^\"|\"$", "", sub("^[^=]*=", "", words))
  get <- function(key, default = "") if (key %in% keys) values[max(which(keys == key))] else default
  form <- strsplit(get("data_format", "_"), "_")[[1]]
  type <- get("taf_format", names(.taf_types)[match(form[2], .taf_types)])
  if (!isTRUE(.taf_types[type] == form[2]) || !form[1] %in% c("native", "xdr") || get("in") != "stdin")
    stop("elements in text, of complex128 or in another file: use tafcrop -o NAME.taf")
  k <- seq_along(unique(grep("^n[1-9][0-9]*$", keys, value = TRUE)))
  grid <- vapply(k, function(i) as.double(mapply(get, paste0(c("n", "o", "d"), i), c("", "0", "1"))), double(3))
  if (!length(k) || anyNA(grid[1, ]) || any(grid[1, ] < 0 | grid[1, ] != floor(grid[1, ]))) stop("no n1, or a gap")
  data <- p[-seq_len(end + 3)]
  last <- charToRaw(switch(get("taf_next", "0"), "0" = "", unknown = "\ttaf_end=1\n\tin=\"stdin\"\n\n\f\f\004", "?"))
  e <- .taf_numbers(data, type, prod(grid[1, ]) * (1 + (type == "complex")), if (form[1] == "xdr") "big" else get("taf_order", .Platform$endian))
  if (!identical(data[seq_along(data) > length(e) * .taf_size(type)], last)) stop("several arrays, or the program before has failed")
  for (i in rev(which(keys == "taf_more"))) values[i - 1] <- paste0(values[i - 1], values[i])
  own <- grepl("^(n|o|d)[1-9][0-9]*$|^taf_|^(in|esize|data_format)$", keys)
  .taf_array(e, if (type == "complex") c(TRUE, FALSE), if (stored) NA else as.double(c(get("taf_intercept", "Inf"), get("taf_slope", "Inf"))),
    grid, keys[!own], values[!own], .taf_unescape(paste(values[keys == "taf_comment"], collapse = "\n")))
}
taf_open <- function(name, stored = FALSE) {
  p <- readBin(name, "raw", file.size(name))
  read <- if (identical(head(p, 3), charToRaw("TAF"))) .taf_file else .taf_stream
  tryCatch(read(p, name, stored), error = function(e) stop(name, ": ", conditionMessage(e), call. = FALSE))
}
taf_grid <- function(x, k) attr(x, "taf")$start[k] + (seq_len(dim(x)[k]) - 1) * attr(x, "taf")$step[k]
.taf_bytes <- function(x, type) {
  size <- .taf_size(type)
  if (type == "flt32" && any(abs(x[is.finite(x)]) > 3.4028234663852886e38)) stop("values beyond flt32")
  if (startsWith(type, "flt")) return(writeBin(as.double(x), raw(), size, "little"))
  v <- (if (size == 8) rbind(c(x), floor(c(x) / 2^32)) else x) %% 2^32
  p <- writeBin(suppressWarnings(as.integer(v - 2^32 * (v >= 2^31))), raw(), min(size, 4), "little") # -2^31 is NA to R
  if (identical(.taf_numbers(p, type, length(x)), as.double(x))) p else stop("values that no ", type, " is")
}
.taf_head <- c(charToRaw("TAF "), as.raw(c(1, 0, 0, 10)), charToRaw(formatC(paste("Thrifty Array Format, little-endian.",
  "1024: element type (8 characters); 1032: intercept a, 1040: slope b (float64, value a + b*x if both are finite); 1048: dimensions",
  "N (uint64); 1056: for each length (uint64), start, step (float64); then elements, dimension 1 fastest; then comments."), width = -1016)))
taf_save <- function(name, x, start = 1, step = 1, label = "", unit = "", comment = "", type = "flt64") {
  n <- dim(as.array(x))
  fill <- function(v, none) if (identical(v, none)) rep(v, length(n)) else if (length(v) == length(n)) v else stop("not an entry for each dimension")
  grid <- rbind(fill(start, 1), fill(step, 1))
  names <- rbind(fill(label, ""), fill(unit, ""))
  if (!type %in% names(.taf_types)[(if (is.complex(x)) 9 else 1):10]) stop("no type for these elements: ", type)
  if (any(grid[2, ] == 0 | !is.finite(grid[2, ]))) stop("a step of 0, or not finite")
  if (any(grepl("[[:cntrl:]\"%]", names))) stop("a label or unit with a quote, % or control byte")
  words <- sprintf("%s@%d=%s\n", c("label", "unit"), rep(seq_along(n), each = 2), names)[nzchar(names)]
  block <- c(if (length(n) == 1) "ndim=1\n", if (is.complex(x)) "complex=1\n", words)
  comment <- paste(c(comment, if (nzchar(comment) && length(block)) "\n", if (length(block)) "--- attributes ---\n", block), collapse = "")
  n <- if (!is.complex(x)) c(n, if (length(n) == 1) 1) else if (length(n) == 2 && n[2] == 1) c(n[1], 2) else c(n, 2)
  dims <- rbind(matrix(.taf_bytes(n, "uint64"), 8), matrix(.taf_bytes(cbind(grid, c(1, 1))[, seq_along(n)], "flt64"), 16))
  p <- c(.taf_head, charToRaw(type), raw(8 - nchar(type)), .taf_bytes(c(Inf, Inf), "flt64"), .taf_bytes(length(n), "uint64"), dims,
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
