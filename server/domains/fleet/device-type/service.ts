import { create } from '@bufbuild/protobuf';

import {
  DeviceTypeSchema,
  type DeviceTypeSelection,
  DeviceTypeService,
  ListDeviceTypes_RequestSchema,
  ListDeviceTypes_ResponseSchema,
  ListDeviceTypes_Sort as Sort,
} from '#proto/gen/hiber/device_type_pb.ts';
import { service } from '#server/app/service.ts';
import { scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { catalogue, type CatalogueEntry } from './catalogue.ts';

export const deviceTypeService = service(DeviceTypeService, () => ({
  list(request, context) {
    const { organization } = scope(context);
    const requestedPage = readPage(request.pagination);
    const knownSortFields = request.sortBy.filter((sort) => comparisons[sort] !== undefined);
    const sortBy = knownSortFields.length > 0 ? knownSortFields : [Sort.IDENTIFIER_ASC];
    const selectedTypes = catalogue.filter(matches(request.selection)).toSorted((a, b) => compareBy(sortBy, a, b));
    const pageTypes = selectedTypes.slice(requestedPage.offset, requestedPage.offset + requestedPage.limit);
    return create(ListDeviceTypes_ResponseSchema, {
      deviceTypes: pageTypes.map((type) => create(DeviceTypeSchema, type)),
      request: create(ListDeviceTypes_RequestSchema, {
        ...request,
        organization,
        sortBy,
        pagination: effectivePagination(requestedPage),
      }),
      pagination: paginationResult(requestedPage, selectedTypes.length),
    });
  },
}));

/** Every word of a search must match part of the type's text, ignoring case. */
function matches(selection: DeviceTypeSelection | undefined): (type: CatalogueEntry) => boolean {
  const words = (selection?.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return ({ gateway, ...fields }) => {
    if (selection?.onlyGateways && !gateway) return false;
    if (selection?.excludeGateways && gateway) return false;
    const text = Object.values(fields).join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

const byText = (key: 'identifier' | 'brand') => (a: CatalogueEntry, b: CatalogueEntry) => a[key].localeCompare(b[key]);

const comparisons: Readonly<Record<Sort, (a: CatalogueEntry, b: CatalogueEntry) => number>> = {
  [Sort.IDENTIFIER_ASC]: byText('identifier'),
  [Sort.IDENTIFIER_DESC]: (a, b) => byText('identifier')(b, a),
  [Sort.BRAND_ASC]: byText('brand'),
  [Sort.BRAND_DESC]: (a, b) => byText('brand')(b, a),
};

function compareBy(sorts: readonly Sort[], a: CatalogueEntry, b: CatalogueEntry): number {
  for (const sort of sorts) {
    const order = comparisons[sort]?.(a, b) ?? 0;
    if (order !== 0) return order;
  }
  return byText('identifier')(a, b);
}
