import { historyFilters, historySelection } from '#commands/kit/history-filters.ts';
import type { Column } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { FIRST_PAGE } from '#commands/model/tab-filter.ts';
import { toMs, textOf } from '#commands/model/wire.ts';
import { message } from '#commands/text/message.ts';
import {
  EmailNotificationPreferencesService,
  type EmailNotificationHistoryRequest_Response_Email as Email,
} from '#proto/gen/hiber/email_pb.ts';

import type { EmailSettings } from './email.ts';

const MAX_ROWS = 100;

const columns: readonly Column<Email>[] = [
  { id: 'time', kind: 'time', width: 170, value: ({ time }) => textOf(time), time: ({ time }) => toMs(time) },
  { id: 'title', kind: 'text', width: 200, grow: 2, value: ({ title }) => title },
  {
    id: 'result',
    kind: 'status',
    width: 160,
    grow: 1,
    value: ({ successful, error }) => (successful ? message('me:email.sent') : error || message('me:email.failed')),
    level: ({ successful }) => (successful ? 'ok' : 'error'),
  },
];

/** The most recent emails, including those that couldn't be sent. */
export const emailHistory: DetailTab<EmailSettings> = {
  id: 'history',
  requires: 'PUBLISHERS',
  columns,
  limit: MAX_ROWS,
  pages: true,
  filters: historyFilters,
  load: async (context, _settings, { page, filterValues } = FIRST_PAGE) => {
    const request = {
      organization: context.organization.id,
      selection: historySelection(context, filterValues),
      pagination: { page, size: MAX_ROWS },
    };
    const service = context.api(EmailNotificationPreferencesService);
    return (await service.history(request, { signal: context.signal })).emails;
  },
  key: (row) => {
    const { time, title } = row as Email;
    return `${toMs(time) ?? 0} ${title}`;
  },
};
