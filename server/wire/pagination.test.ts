import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';

import { PaginationSchema } from '#proto/gen/hiber/base_pb.ts';

import { effectivePagination, readPage, paginationResult } from './pagination.ts';

const pageFor = (size?: number, number?: number) => readPage(create(PaginationSchema, { size, page: number }));

describe('pages', () => {
  test('have a default and maximum size, and reject negative values', () => {
    expect(readPage(undefined)).toMatchObject({ size: 50, offset: 0 });
    expect(pageFor(0, 2)).toMatchObject({ size: 50, offset: 100 });
    expect(effectivePagination(pageFor(5000))).toMatchObject({ size: 1000, page: 0 });
    expect(readPage(undefined, { default: 10, max: 20 })).toMatchObject({ size: 10 });
    expect(() => pageFor(-1)).toThrow('-1');
    expect(() => pageFor(10, -1)).toThrow('-1');
  });

  test('link to the previous and next page if there is one', () => {
    const first = paginationResult(pageFor(10, 0), 25);
    expect(first).toMatchObject({ total: 25, totalPages: 3, next: { size: 10, page: 1 } });
    expect(first.previous).toBeUndefined();
    const last = paginationResult(pageFor(10, 2), 25);
    expect(last.previous).toMatchObject({ page: 1 });
    expect(last.next).toBeUndefined();
  });

  test('link back to the last page from beyond the end, and to no page if there are no items', () => {
    expect(paginationResult(pageFor(10, 9), 25).previous).toMatchObject({ page: 2 });
    const emptyPage = paginationResult(pageFor(10, 0), 0);
    expect(emptyPage).toMatchObject({ total: 0, totalPages: 0 });
    expect([emptyPage.previous, emptyPage.next]).toEqual([undefined, undefined]);
  });
});
