# SPDX-License-Identifier: ISC
"""TAF files and RSF streams in xarray: xr.open_dataset(name, engine='taf').  See taf-python(7)."""
import os

import numpy as np
import xarray as xr
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

import taf


class _Elements(BackendArray):
    """Values, or what is stored, read when used."""

    def __init__(self, a, physical):
        self.a, self.physical = a, physical
        self.shape = a.shape
        self.dtype = np.dtype('f8') if physical and a.mapping else a.dtype

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.BASIC, self.part)

    def part(self, key):
        return np.asarray(self.a[key] if self.physical or not self.a.mapping else
                          self.a.stored[key])


def _dims(labels):
    """A name for each dimension: its label, or dim_K where it has none of its own."""
    names = ['' if s == 'data' or s in labels[:k] else s for k, s in enumerate(labels)]
    for k, s in enumerate(names):
        if not s:
            s = 'dim_%d' % (k + 1)
            while s in names:
                s += '_'
            names[k] = s
    return names


def _coordinate(a, k, name):
    attrs = dict(a.dim_attrs[k])
    if a.unit[k]:
        attrs['units'] = a.unit[k]
    if a.label[k]:
        attrs['long_name'] = a.label[k]
    return xr.Variable((name,), a.coords(k), attrs)


class TafBackend(BackendEntrypoint):
    description = 'TAF files and RSF streams of taftools'
    open_dataset_parameters = ('filename_or_obj', 'drop_variables', 'mask_and_scale')

    def open_dataset(self, filename_or_obj, *, drop_variables=None, mask_and_scale=True):
        a = taf.open(filename_or_obj)
        dims = _dims(a.label)
        attrs = dict(a.attrs)
        if 'unit' in attrs:
            attrs['units'] = attrs.pop('unit')
        if a.comment:
            attrs['comment'] = a.comment
        packing = {}
        if a.mapping:
            packing = {'scale_factor': a.mapping[1], 'add_offset': a.mapping[0]}
        if not mask_and_scale:
            attrs.update(packing)
        data = xr.Variable(dims, indexing.LazilyIndexedArray(_Elements(a, mask_and_scale)),
                           attrs, packing if mask_and_scale else {})
        variables = {'data': data}
        variables.update((name, _coordinate(a, k, name)) for k, name in enumerate(dims))
        drop = [drop_variables] if isinstance(drop_variables, str) else drop_variables or ()
        return xr.Dataset({k: v for k, v in variables.items() if k not in drop})

    def guess_can_open(self, filename_or_obj):
        return isinstance(filename_or_obj, (str, os.PathLike)) and \
            os.fspath(filename_or_obj).endswith('.taf')
