import {
  SupportService,
  type ListCallsResponse_Call as Call,
  type Visit,
} from '#proto/quarterdeck/support/v1/support_service_pb';

import type { Column, Related } from '../core/entity.ts';
import { message } from '../core/message.ts';
import { msOf, textOf } from '../core/wire.ts';

const FIRST = 100;

const columns: readonly Column<Call>[] = [
  { id: 'time', kind: 'time', width: 150, value: ({ time }) => textOf(time), at: ({ time }) => msOf(time) },
  { id: 'rpc', kind: 'mono', width: 220, grow: 1, value: ({ rpc }) => rpc },
  {
    id: 'kind',
    kind: 'status',
    width: 80,
    value: ({ changes }) => message(changes ? 'visit:call.change' : 'visit:call.read'),
  },
  {
    id: 'outcome',
    kind: 'status',
    width: 120,
    value: ({ outcome }) =>
      outcome ? message('visit:call.outcome', { outcome: outcome.replaceAll('_', ' ') }) : undefined,
  },
];

/** Each call made during a visit, in the order they were made. */
export const calls: Related<Visit> = {
  id: 'calls',
  columns,
  limit: FIRST,
  load: async (context, { organization, id }) => {
    const request = { organization, visitId: id, pagination: { size: FIRST } };
    return (await context.api(SupportService).listCalls(request, { signal: context.signal })).calls;
  },
  key: (row) => {
    const { time, rpc } = row as Call;
    return `${textOf(time)} ${rpc}`;
  },
};
