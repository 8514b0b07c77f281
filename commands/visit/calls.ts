import {
  SupportService,
  type ListCallsResponse_Call as Call,
  type Visit,
} from '#proto/quarterdeck/support/v1/support_service_pb';

import type { Column, Related } from '../core/entity.ts';
import { message, type Message } from '../core/message.ts';
import { msOf, textOf } from '../core/wire.ts';

const FIRST = 100;

/** Time of day: which day it is stands above the calls. */
const clock = ({ time }: Call): string | undefined => {
  const at = msOf(time);
  return at === undefined ? undefined : new Date(at).toTimeString().slice(0, 8);
};

const outcomeOf = ({ changes, outcome }: Call): Message => {
  if (outcome && outcome !== 'ok') return message('visit:call.outcome', { outcome: outcome.replaceAll('_', ' ') });
  return message(changes ? 'visit:call.change' : 'visit:call.read');
};

const columns: readonly Column<Call>[] = [
  { id: 'time', kind: 'mono', width: 62, value: clock },
  { id: 'rpc', kind: 'mono', width: 180, grow: 1, value: ({ rpc }) => rpc },
  { id: 'outcome', kind: 'status', width: 76, value: outcomeOf },
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
  key: (row) => `${(row as Call).id}`,
  detail: (row) => {
    const call = row as Call;
    return [
      { label: message('visit:call.rpc'), text: call.rpc, mono: true },
      { label: message('visit:call.time'), text: textOf(call.time) ?? '', at: msOf(call.time) },
      { label: message('visit:call.answer'), text: call.outcome.replaceAll('_', ' ') },
    ].filter(({ text }) => text !== '');
  },
};
