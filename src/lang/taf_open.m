% SPDX-License-Identifier: ISC
function [x, info] = taf_open(name)
% [x, info] = taf_open(name): the array of a TAF file or of a packed RSF stream.
%
% x has physical values (double) if there is a mapping, else the type of the file. info has start,
% step, label and unit of each dimension, comment, and attrs, rows of {key, value}. taf_save writes
% such a pair. taf-python(7) is the manual.
  f = fopen(name, 'r', 'ieee-le');
  if f < 0, error('%s: cannot open', name); end
  closer = onCleanup(@() fclose(f));
  p = fread(f, Inf, '*uint8')';
  readers = {@rsf_stream, @taf_file};
  [x, info, n, mapping] = readers{1 + strncmp(char(p), 'TAF', 3)}(p, name);
  x = reshape(x, [n, ones(1, 2 - numel(n))]);
  if all(isfinite(mapping)), x = mapping(1) + mapping(2) * double(x); end
end
function [x, info, n, mapping] = taf_file(p, name)
  if numel(p) < 1080 || p(4) ~= 32 || p(5) ~= 1 || p(8) ~= 10, error('%s: no TAF file of version 1, or cut', name); end
  changing = ~isempty(strfind(char(p(513:1024)), [char(10) 'Being changed: wait']));
  if changing || exist([name '.undo'], 'file'), error('%s: a change of it was interrupted', name); end
  type = strtrim(strtok([char(p(1025:1032)) char(0)], char(0)));
  mapping = typecast(p(1033:1048), 'double');
  k = double(typecast(p(1049:1056), 'uint64'));
  if k < 1 || k > 64 || numel(p) < 1056 + 24 * k, error('%s: %d dimensions, or cut', name, k); end
  dims = reshape(p(1057:1056 + 24 * k), 24, k);
  n = double(typecast(reshape(dims(1:8, :), 1, []), 'uint64'));
  grid = reshape(typecast(reshape(dims(9:24, :), 1, []), 'double'), 2, k);
  [x, behind] = elements(p, 1056 + 24 * k, strrep(type, 'float', 'flt'), prod(n), false, name);
  text = char(p(behind + 1:end));
  if any(text == 0), error('%s: no text behind the data', name); end
  block = '';
  at = regexp([char(10) text], '\n--- attributes ---\n', 'end');
  if ~isempty(at) && ~isempty(regexp([char(10) text(at(end):end)], '^\n([^ "=\n]+=[^\n]*(\n|$))*$', 'once'))
    block = text(at(end):end);
    text = text(1:max(at(end) - 21, 0));
  end
  lines = regexp(block, '[^\n]+', 'match');
  one = any(strcmp(lines, 'ndim=1')) && k == 2;
  planes = any(strcmp(lines, 'complex=1')) && n(k) == 2 && isfloat(x) && ~all(isfinite(mapping));
  lines = lines(~strcmp(lines, 'ndim=1') & ~strcmp(lines, 'complex=1'));
  if planes, x = complex(x(1:end / 2), x(end / 2 + 1:end)); end
  if planes && k == 2 && ~one, n(2) = 1; elseif planes || (one && n(2) == 1), k = k - 1; end
  n = n(1:k);
  info = facts(n, grid(1, 1:k), grid(2, 1:k), regexp(lines, '^[^=]*', 'match', 'once'), ...
    regexprep(lines, '^[^=]*=', ''), text);
end
function [x, info, n, mapping] = rsf_stream(p, name)
  at = strfind(char(p), char([10 12 12 4]));
  if isempty(at), error('%s: neither TAF nor a packed RSF stream, or cut', name); end
  lines = regexp(char(p(1:at(1))), '[^\n]*\S[^\n]*', 'match');
  history = ~cellfun('isempty', regexp(lines, '^[^\s=]+(\s|$)', 'once'));
  if any(diff(history) > 0), error('%s: another program has changed the header: put tafcrop behind it', name); end
  words = regexp(strjoin([lines(~history), {''}], char(10)), '[^\s"=]+=([^\s"]|"[^"\n]*")*', 'match');
  keys = regexp(words, '^[^=]*', 'match', 'once');
  written = regexprep(words, '^[^=]*=', '');
  values = regexprep(written, '^"|"$', '');
  form = strsplit([value(keys, values, 'data_format', '') '_'], '_');
  types = {'char' 'uchar' 'short' 'ushort' 'int' 'uint' 'long' 'ulong' 'float' 'double' 'complex'};
  names = {'int8' 'uint8' 'int16' 'uint16' 'int32' 'uint32' 'int64' 'uint64' 'flt32' 'flt64' 'complex'};
  type = names(strcmp(types, form{2}));
  if isempty(type) || ~any(strcmp(form{1}, {'native', 'xdr'})) || ~strcmp(value(keys, values, 'in', ''), 'stdin') || ...
      ~strcmp(value(keys, values, 'taf_format', type{1}), type{1})
    error('%s: elements in text, of complex128 or in another file: use tafcrop -o NAME.taf', name);
  end
  k = numel(unique(keys(~cellfun('isempty', regexp(keys, '^n[1-9]\d*$', 'once')))));
  number = @(key, none) arrayfun(@(j) str2double(value(keys, values, sprintf('%s%d', key, j), none)), 1:k);
  n = number('n', 'NaN');
  if k == 0 || any(isnan(n) | n < 0 | n ~= fix(n)), error('%s: no n1, or a gap', name); end
  [~, ~, host] = computer();
  order = value(keys, values, 'taf_order', host);
  big = strcmp(form{1}, 'xdr') || any(strcmp(order, {'big', 'B'}));
  [x, behind] = elements(p, at(1) + 3, type{1}, prod(n), big, name);
  next = value(keys, values, 'taf_next', '0');
  last = repmat(sprintf('\ttaf_end=1\n\tin="stdin"\n\n\f\f\004'), 1, strcmp(next, 'unknown'));
  if strcmp(next, '1') || ~isequal(char(p(behind + 1:end)), last), error('%s: several arrays, or the program before has failed', name); end
  for j = fliplr(find(strcmp(keys, 'taf_more')))
    written{j - 1} = ['"' values{j - 1} values{j} '"'];
    values{j - 1} = [values{j - 1} values{j}];
  end
  own = ~cellfun('isempty', regexp(keys, '^((n|o|d)[1-9]\d*|taf_.*|in|esize|data_format)$', 'once'));
  comment = unescape(strjoin([values(strcmp(keys, 'taf_comment')), {''}], char(10)), false);
  info = facts(n, number('o', '0'), number('d', '1'), keys(~own), written(~own), comment(1:end - 1));
  mapping = [str2double(value(keys, values, 'taf_intercept', 'Inf')), str2double(value(keys, values, 'taf_slope', 'Inf'))];
end
function v = value(keys, values, key, none)
  found = [{none}, values(strcmp(keys, key))];
  v = found{end};
end
function [x, at] = elements(p, at, type, n, big, name)
  ours = {'flt32' 'flt64' 'complex'};
  class_ = regexprep(type, [strcat('^', ours, '$')], {'single' 'double' 'single'});
  if strcmp(class_, type) && isempty(regexp(type, '^u?int(8|16|32|64)$', 'once')), error('%s: unknown element type %s', name, type); end
  one = typecast(cast(0, class_), 'uint8');
  n = n * (1 + strcmp(type, 'complex'));
  if numel(p) - at < n * numel(one), error('%s: data of %d bytes, but %d are there', name, n * numel(one), numel(p) - at); end
  x = typecast(p(at + 1:at + n * numel(one)), class_);
  at = at + n * numel(one);
  if big ~= (typecast(uint8([0 1]), 'uint16') == 1), x = swapbytes(x); end
  if strcmp(type, 'complex'), x = complex(x(1:2:end), x(2:2:end)); end
end
% %XX is a byte: of all bytes in a key, of those that no header holds in a value
function s = unescape(s, key)
  codes = '%(?:[01][0-9A-Fa-f]|22|25|7[Ff])';
  if key, codes = '%[0-9A-Fa-f]{2}'; end
  [between, found] = regexp(s, codes, 'split', 'match');
  both = [between; [cellfun(@(c) char(hex2dec(c(2:3))), found, 'UniformOutput', false), {''}]];
  s = [both{:}];
end
function info = facts(n, start, step, keys, values, comment)
  info = struct('start', start, 'step', step, 'label', {repmat({''}, 1, numel(n))}, ...
    'unit', {repmat({''}, 1, numel(n))}, 'comment', comment, 'attrs', {cell(0, 2)});
  for i = 1:numel(keys)
    v = unescape(regexprep(values{i}, '^"(.*)"$', '$1'), false);
    m = regexp(keys{i}, '^(label|unit)@?([1-9]\d*)$', 'tokens', 'once');
    number = ~isempty(regexp(values{i}, '^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$', 'once'));
    if ~isempty(m) && str2double(m{2}) <= numel(n), info.(m{1}){str2double(m{2})} = v; continue, end
    if number, v = str2double(v); end
    info.attrs(end + 1, :) = {unescape(keys{i}, true), v};
  end
end
