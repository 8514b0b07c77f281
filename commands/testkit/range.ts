import { timestampDate } from '@bufbuild/protobuf/wkt';

import type { TimeRangeInit } from '#commands/model/time.ts';

export const iso = ({ start, end }: TimeRangeInit): string[] =>
  [start, end].map((messageInit) =>
    timestampDate(messageInit?.timestamp as Parameters<typeof timestampDate>[0]).toISOString(),
  );
