import { message } from '#commands/text/message.ts';
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { translate } from '#src/i18n/i18n.ts';
import { invoke } from '#src/run/invoke.ts';
import { toasts } from '#src/state/toasts.ts';

/** How long the toast of an export stays, in ms. The user may have waited for it in another window. */
const DURATION = 60_000;

/** Tells the user that an export that they requested is ready, and offers to download it, or that it failed. */
export function announceExport({ event }: Pick<Event, 'event'>, user: string): void {
  if (event.case !== 'exportReady' && event.case !== 'exportFailed') return;
  const { export: item } = event.value;
  if (item === undefined || item.requestedBy !== user) return;
  const { identifier, name, error } = item;
  if (event.case === 'exportFailed') {
    const title = translate(message('console:exports.failed', { name }));
    toasts.push({ title, detail: error, tone: 'error', duration: DURATION });
    return;
  }
  const args = { exports: { ids: [identifier] } };
  toasts.push({
    title: translate(message('console:exports.ready', { name })),
    action: {
      label: translate(message('console:exports.download')),
      run: () => void invoke({ id: 'export.download', args }),
    },
    duration: DURATION,
  });
}
