import { type DescMessage, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { ListModemsRequestSchema } from '#proto/gen/hiber/modem_pb.ts';
import type { Random } from '#server/demo/seed/random.ts';

import { RequestBuilder } from './values.ts';

/** Always draws the maximum: every field, and lists of 12,000 in lists of 12,000. */
const maxRandom: Random = {
  next: () => 0.999,
  chance: () => true,
  shuffle: (items) => [...items],
  integer: (_, to) => to,
  between: (_, to) => to,
  pick: (values) => values.at(-1) as (typeof values)[number],
};

const schema: DescMessage = ListModemsRequestSchema;

test("generates requests with the longest lists, above the server's limit", () => {
  const request = new RequestBuilder(maxRandom, { organizations: ['a'], numbers: ['b'], users: ['c'] }).build(schema);

  expect(toBinary(schema, request).length).toBeGreaterThan(200_000);
});
