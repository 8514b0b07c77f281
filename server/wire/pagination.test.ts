import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { PaginationSchema } from '#proto/gen/hiber/base_pb.ts';
import { effectivePagination, page, paginationResult } from './pagination.ts';

const asked = (size?: number, number?: number) => page(create(PaginationSchema, { size, page: number }));

describe('pages', () => {
  it('have a default and a maximum size, which are echoed', () => {
    expect(page(undefined)).toMatchObject({ size: 50, offset: 0 });
    expect(asked(0, 2)).toMatchObject({ size: 50, offset: 100 });
    expect(effectivePagination(asked(5000))).toMatchObject({ size: 1000, page: 0 });
    expect(page(undefined, { default: 10, max: 20 })).toMatchObject({ size: 10 });
    expect(() => asked(-1)).toThrow('-1');
    expect(() => asked(10, -1)).toThrow('-1');
  });

  it('lead to the previous and the next, which are absent where there is none', () => {
    const first = paginationResult(asked(10, 0), 25);
    expect(first).toMatchObject({ total: 25, totalPages: 3, next: { size: 10, page: 1 } });
    expect(first.previous).toBeUndefined();
    const last = paginationResult(asked(10, 2), 25);
    expect(last.previous).toMatchObject({ page: 1 });
    expect(last.next).toBeUndefined();
  });

  it('lead back from beyond the end, and are none when there is nothing', () => {
    expect(paginationResult(asked(10, 9), 25).previous).toMatchObject({ page: 2 });
    const empty = paginationResult(asked(10, 0), 0);
    expect(empty).toMatchObject({ total: 0, totalPages: 0 });
    expect([empty.previous, empty.next]).toEqual([undefined, undefined]);
  });
});
