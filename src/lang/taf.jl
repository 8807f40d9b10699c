# SPDX-License-Identifier: ISC
# TAF files and packed RSF streams in Julia: include("taf.jl").  taf-python(7) is the manual.
module Taf
const NAMES = split("int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64 complex")
const KINDS = [Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float32, Float64, ComplexF32]
const RSF = split("char uchar short ushort int uint long ulong float double complex")
"An array: physical values, the elements as they are stored, and facts, an entry a dimension."
struct Data
    values::AbstractArray; stored::AbstractArray; start::Vector{Float64}; step::Vector{Float64}
    label::Vector{String}; unit::Vector{String}; comment::String; attrs::Dict{String,String}
end
# n elements behind so many bytes
elements(T, p, at, n, big = false) = [big ? ntoh(x) : ltoh(x) for x in reinterpret(T, p[at + 1:at + Int(n) * sizeof(T)])]
# %XX is a byte: of all bytes in a key, of those that no header holds in a value
unescape(s, codes = r"%(?:[01][0-9A-Fa-f]|22|25|7[Ff])") = replace(String(s), codes => c -> String([parse(UInt8, c[2:3], base = 16)]))

function data(stored, mapping, start, step, pairs, comment)
    label, unit, attrs = fill("", length(start)), fill("", length(start)), Dict{String,String}()
    for (key, quoted) in pairs
        m, value = match(r"^(label|unit)@?([1-9][0-9]*)$", key), unescape(strip(quoted, '"'))
        k = m === nothing ? 0 : something(tryparse(Int, m[2]), 0)
        1 <= k <= length(start) ? ((m[1] == "label" ? label : unit)[k] = value) : (attrs[unescape(key, r"%[0-9A-Fa-f]{2}")] = value)
    end
    Data(all(isfinite, mapping) ? mapping[1] .+ mapping[2] .* Float64.(stored) : stored, stored, start, step, label, unit, comment, attrs)
end

# what follows the data: the user's text, and the lines of the block of attributes
function tail(text)
    lines = split(text, '\n')
    mark = something(findlast(==("--- attributes ---"), lines), length(lines))
    block = filter(!isempty, lines[mark + 1:end])
    found = mark < length(lines) && all(l -> occursin(r"^[^\x00-\x20\x7f\"=]+=", l), block)
    found ? (join(lines[1:mark - 1], '\n'), block) : (text, SubString{String}[])
end

function file(p, name)
    word(T, at) = elements(T, p, at, 1)[1]
    length(p) >= 1080 && p[4] == 0x20 && p[5] == 1 && p[8] == 0x0a || error("$name: no TAF file of version 1, or cut")
    (isfile("$name.undo") || occursin("\nBeing changed: wait", String(p[513:1024]))) && error("$name: a change of it was interrupted")
    i = findfirst(==(replace(rstrip(split(String(p[1025:1032]), '\0')[1]), r"^float" => "flt")), NAMES[1:10])
    k = Int(min(word(UInt64, 1048), 65))
    i !== nothing && 1 <= k <= 64 && length(p) >= 1056 + 24k || error("$name: unknown type or dimensions")
    T, n, at = KINDS[i], [Int(word(UInt64, 1032 + 24j)) for j in 1:k], 1056 + 24k
    length(p) >= at + prod(float.(n)) * sizeof(T) || error("$name: the file ends before its data")
    e = elements(T, p, at, prod(n))
    text, block = tail(String(p[at + sizeof(e) + 1:end]))
    '\0' in text && error("$name: no text behind the data")
    mapping, one = [word(Float64, 1032), word(Float64, 1040)], k == 2 && "ndim=1" in block
    planes = "complex=1" in block && n[end] == 2 && T <: AbstractFloat && !all(isfinite, mapping)
    e = planes ? complex.(e[1:end ÷ 2], e[end ÷ 2 + 1:end]) : e
    planes && k == 2 && !one ? (n[2] = 1) : (planes || (one && n[2] == 1)) && pop!(n)
    pairs = [split(l, '=', limit = 2) for l in block if !(l in ("ndim=1", "complex=1"))]
    grid(at) = [word(Float64, at + 24j) for j in eachindex(n)]
    data(reshape(e, n...), mapping, grid(1040), grid(1048), pairs, text)
end

function stream(p, name)
    ends = findfirst("\n\f\f\x04", String(copy(p)))
    ends === nothing && error("$name: neither TAF nor a packed RSF stream, or cut")
    lines = filter(l -> !isempty(strip(l)), split(String(p[1:first(ends)]), '\n'))
    history = [occursin(r"^[^\s=]+(\s|$)", l) for l in lines]
    any(diff(history) .> 0) && error("$name: another program has changed the header: put tafcrop behind it")
    pairs = [String.(split(m.match, '=', limit = 2)) for l in lines[.!history] for m in eachmatch(r"[^\s\"=]+=(?:[^\s\"]|\"[^\"]*\")*", l)]
    value(key, none) = (i = findlast(x -> x[1] == key, pairs); i === nothing ? none : strip(pairs[i][2], '"'))
    form, host = split(value("data_format", "") * "_", '_'), ENDIAN_BOM == 0x04030201 ? "little" : "big"
    i = findfirst(==(form[2]), RSF)
    i !== nothing && form[1] in ("native", "xdr") && NAMES[i] == value("taf_format", NAMES[i]) && value("in", "") == "stdin" ||
        error("$name: elements in text, of complex128 or in another file: use tafcrop -o NAME.taf")
    n = [something(tryparse(Int, value("n$j", "")), -1) for j in 1:length(Set(x[1] for x in pairs if occursin(r"^n[1-9][0-9]*$", x[1])))]
    (isempty(n) || any(n .< 0)) && error("$name: no n1, or a gap")
    at, bytes = last(ends), prod(float.(n)) * sizeof(KINDS[i])
    length(p) - at >= bytes || error("$name: data of $bytes bytes, but $(length(p) - at) are there")
    ending = get(Dict("0" => "", "unknown" => "\ttaf_end=1\n\tin=\"stdin\"\n\n\f\f\x04"), value("taf_next", "0"), "?")
    p[at + Int(bytes) + 1:end] == codeunits(ending) || error("$name: several arrays, or the program before has failed")
    e = elements(KINDS[i], p, at, prod(n), form[1] == "xdr" || value("taf_order", host) == "big")
    join_at(j) = pairs[j - 1][2] = strip(pairs[j - 1][2], '"') * strip(pairs[j][2], '"')
    foreach(join_at, reverse(findall(x -> x[1] == "taf_more", pairs)))
    comment = join([unescape(strip(x[2], '"')) for x in pairs if x[1] == "taf_comment"], '\n')
    number(key, none) = [parse(Float64, value("$key$j", none)) for j in eachindex(n)]
    mapping = parse.(Float64, [value("taf_intercept", "Inf"), value("taf_slope", "Inf")])
    others = filter(x -> !occursin(r"^((n|o|d)[1-9][0-9]*|taf_.*|in|esize|data_format)$", x[1]), pairs)
    data(reshape(e, n...), mapping, number("o", "0"), number("d", "1"), others, comment)
end
open(name) = (p = Base.read(name); (p[1:min(end, 3)] == b"TAF" ? file : stream)(p, name))
# what a stranger needs to read the file
const SYNOPSIS = "Thrifty Array Format, little-endian. 1024: element type (8 characters); 1032: intercept a, 1040: slope b (float64, value " *
    "a + b*x if both are finite); 1048: dimensions N (uint64); 1056: for each length (uint64), start, step (float64); then elements, " *
    "dimension 1 fastest; then comments."
function save(name, x; start = ones(ndims(x)), step = ones(ndims(x)), label = fill("", ndims(x)), unit = fill("", ndims(x)), comment = "")
    T, pair, k, n = eltype(x) == Bool ? UInt8 : real(eltype(x)), eltype(x) <: Complex, ndims(x), collect(size(x))
    i = findfirst(==(T), KINDS)
    i !== nothing && (!pair || T <: AbstractFloat) && k > 0 && length(start) == length(step) == length(label) == length(unit) == k &&
        all(s -> isfinite(s) && s != 0, step) || error("$name: elements of $(eltype(x)), not one entry a dimension, or a step of 0")
    any(c -> iscntrl(c) || c in "\"%", join([label; unit])) && error("$name: a label or unit with a quote, % or control byte")
    block = (k == 1 ? "ndim=1\n" : "") * (pair ? "complex=1\n" : "") *
        join("$key@$j=$(v[j])\n" for j in 1:k for (key, v) in (("label", label), ("unit", unit)) if !isempty(v[j]))
    text = comment * (isempty(block) ? "" : (isempty(comment) ? "" : "\n") * "--- attributes ---\n" * block)
    pair ? (k == 2 && n[2] == 1 ? (n[2] = 2) : push!(n, 2)) : k == 1 && push!(n, 1)
    e = convert(Vector{T}, pair ? [vec(real(x)); vec(imag(x))] : vec(x))
    dims = [(UInt64(n[j]), (reinterpret(UInt64, Float64(get(v, j, 1))) for v in (start, step))...) for j in eachindex(n)]
    head = UInt64[length(n); collect(Iterators.flatten(dims))]
    temporary = "$name.$(getpid()).tmp"
    try
        parts = "TAF \x01\0\0\n", rpad(SYNOPSIS, 1016), NAMES[i], "\0"^(8 - length(NAMES[i])), htol.([Inf, Inf]), htol.(head), htol.(e), text
        Base.open(f -> foreach(part -> write(f, part), parts), temporary, "w")
        filesize(temporary) == 1056 + 24length(n) + sizeof(e) + sizeof(text) || error("$name: cannot write")
        Base.Filesystem.rename(temporary, name)
    finally
        rm(temporary, force = true)
    end
end
run(words, x = nothing) = mktempdir() do d
    input, output, said = joinpath.(d, ["in", "out", "err"])
    x === nothing || save(input, x)
    p = Base.run(pipeline(ignorestatus(Cmd(String.(words))), stdin = x === nothing ? devnull : input, stdout = output, stderr = said))
    success(p) || error("$(words[1]): status $(p.exitcode): $(Base.read(said, String))")
    filesize(said) > 0 && @warn Base.read(said, String)
    open(output)
end
end
