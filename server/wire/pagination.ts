import { create } from '@bufbuild/protobuf';

import {
  type Pagination,
  type Pagination_Result,
  Pagination_ResultSchema,
  PaginationSchema,
} from '#proto/gen/hiber/base_pb.ts';

import { invalidArgument } from './errors.ts';

/** The part of a list that a call returns. */
export interface Page {
  /** Items per page, after applying the default and the maximum. */
  readonly size: number;
  /** Zero-based. */
  readonly number: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Reads the pagination of a request. If the size is 0 or unset, uses the default. If it exceeds the maximum, uses the
 * maximum (contract: Pagination). The contract doesn't specify the default of 50 and the maximum of 1,000.
 */
export function readPage(pagination: Pagination | undefined, { default: defaultSize = 50, max = 1000 } = {}): Page {
  const { size: requestedSize = 0, page: number = 0 } = pagination ?? {};
  if (requestedSize < 0)
    throw invalidArgument(`The page size ${requestedSize} is negative. Omit it to use the default.`);
  if (number < 0) throw invalidArgument(`The page ${number} is negative. Pages start at 0.`);
  const size = requestedSize === 0 ? defaultSize : Math.min(requestedSize, max);
  return { size, number, limit: size, offset: number * size };
}

/** Returns the pagination that was applied, for the request that the response echoes. */
export const effectivePagination = ({ size, number }: Page): Pagination =>
  create(PaginationSchema, { size, page: number });

/**
 * Describes the page in a response. `previous` and `next` are absent if there is no such page (contract: Pagination). A
 * page beyond the end is empty, and its `previous` is the last existing page (not specified in the contract).
 */
export function paginationResult({ size, number }: Page, total: number, approximatedTotal = false): Pagination_Result {
  const totalPages = Math.ceil(total / size);
  const previous = Math.min(number, totalPages) - 1;
  return create(Pagination_ResultSchema, {
    size,
    page: number,
    total,
    totalPages,
    approximatedTotal,
    previous: previous >= 0 ? { size, page: previous } : undefined,
    next: number + 1 < totalPages ? { size, page: number + 1 } : undefined,
  });
}
