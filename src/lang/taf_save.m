% SPDX-License-Identifier: ISC
function taf_save(name, x, info)
% taf_save(name, x, info): write x as a TAF file, in its own type (double: flt64).
%
% Of info, as taf_open gives it, start, step, label, unit, comment and attrs are written; it may be
% left out, and so may each of them. taf-python(7) is the manual.
  if nargin < 3, info = struct(); end
  types = struct('double', 'flt64', 'single', 'flt32', 'logical', 'uint8');
  if islogical(x), x = uint8(x); end
  type = class(x);
  if isfield(types, type)
    type = types.(type);
  elseif isempty(regexp(type, '^u?int(8|16|32|64)$', 'once')) || ~isreal(x)
    error('%s elements have no place in a file', type);
  end
  n = size(x);
  k = numel(fact(info, 'start', n));
  if k < 1 || any(n(k + 1:end) ~= 1), error('start has %d entries, the array %d dimensions', k, numel(n)); end
  n = [n(1:min(k, end)), ones(1, k - numel(n))];
  start = fact(info, 'start', ones(1, k));
  step = fact(info, 'step', ones(1, k));
  label = fact(info, 'label', repmat({''}, 1, k));
  unit = fact(info, 'unit', repmat({''}, 1, k));
  attrs = fact(info, 'attrs', cell(0, 2));
  if any([numel(step), numel(label), numel(unit)] ~= k) || any(step == 0 | ~isfinite(step))
    error('not one entry for each dimension, or a step of 0');
  end
  for i = 1:k
    attrs = [attrs; {sprintf('label@%d', i), label{i}; sprintf('unit@%d', i), unit{i}}];
  end
  block = repmat(sprintf('ndim=1\n'), 1, k == 1);
  block = [block, repmat(sprintf('complex=1\n'), 1, ~isreal(x))];
  for i = 1:size(attrs, 1)
    if ~isempty(attrs{i, 2}) || isempty(regexp(attrs{i, 1}, '^(label|unit)@', 'once'))
      block = [block, pair(attrs{i, 1}, attrs{i, 2})];
    end
  end
  comment = fact(info, 'comment', '');
  if ~isempty(block)
    comment = [comment, repmat(char(10), 1, ~isempty(comment)), sprintf('--- attributes ---\n'), block];
  end
  values = x(:);
  if ~isreal(x)
    values = [real(values); imag(values)];
    if k == 2 && n(2) == 1
      n(2) = 2;
    else
      n(end + 1) = 2;
    end
  elseif k == 1
    n(2) = 1;
  end
  start(end + 1:numel(n)) = 1;
  step(end + 1:numel(n)) = 1;
  % what a stranger needs to read the file
  synopsis = sprintf('%-1016s', ['Thrifty Array Format, little-endian. 1024: element type (8 characters); 1032: intercept a, 1040: slope b (float64,', ...
    ' value a + b*x if both are finite); 1048: dimensions N (uint64); 1056: for each length (uint64), start, step (float64);', ...
    ' then elements, dimension 1 fastest; then comments.']);
  temporary = sprintf('%s.%d.tmp', name, round(1e9 * rand()));
  f = fopen(temporary, 'w', 'ieee-le');
  if f < 0, error('%s: cannot create', temporary); end
  closer = onCleanup(@() give_up(temporary));
  parts = {uint8('TAF '), uint8([1 0 0 10]), uint8(synopsis), uint8(type), ...
    zeros(1, 8 - numel(type), 'uint8'), [Inf, Inf], uint64(numel(n))};
  for i = 1:numel(n)
    parts = [parts, {uint64(n(i)), [start(i), step(i)]}];
  end
  parts = [parts, {values, uint8(comment)}];
  for i = 1:numel(parts)
    if fwrite(f, parts{i}, class(parts{i})) ~= numel(parts{i})
      fclose(f);
      error('%s: cannot write', name);
    end
  end
  if fclose(f) ~= 0, error('%s: cannot write', name); end
  [done, why] = rename_file(temporary, name);
  if ~done, error('%s: %s', name, why); end
end

function v = fact(info, key, none)
  v = none;
  if isfield(info, key), v = info.(key); end
end

function line = pair(key, value)
  number = ['(\d+[x*])?[-+]?((\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|', ...
    '[iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN])'];
  if isnumeric(value)
    text = sprintf('%.15g', value);
    if str2double(text) ~= value, text = sprintf('%.17g', value); end
  elseif ~isempty(regexp(value, ['^' number '(,' number ')*$'], 'once'))
    text = ['"' value '"'];     % text that reads as a number
  else
    text = escape(value, '');
  end
  scope = key(regexp(key, '@c?[1-9]\d*$', 'once'):end);
  name = escape(key(1:end - numel(scope)), ' =@');
  if any(strcmp(key, {'in', 'ndim', 'complex'}))
    name = sprintf('%%%02X%s', key(1), key(2:end));     % no word about the shape
  end
  line = sprintf('%s%s=%s\n', name, scope, text);
end

function s = escape(s, also)
  codes = double(s);
  special = codes < 32 | codes == 127 | s == '"' | s == '%' | ismember(s, also);
  parts = num2cell(s);
  parts(special) = arrayfun(@(c) sprintf('%%%02X', c), codes(special), 'UniformOutput', false);
  s = [parts{:} ''];
end

function [done, why] = rename_file(from, to)
  [done, why] = movefile(from, to, 'f');
end

function give_up(name)
  if exist(name, 'file'), delete(name); end
end
