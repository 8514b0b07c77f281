import { useRouterState } from '@tanstack/react-router';
import { atom, useAtomValue } from 'jotai';

import { lastInvocation } from '#commands/run/history.ts';
import { destinationAround } from '#src/address/paths.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { formatKeys } from '#src/keymap/format.ts';
import { pendingKeysAtom, slowKeysAtom } from '#src/keys/pending.ts';
import { invoke } from '#src/run/invoke.ts';
import { TargetName, useTargetName } from '#src/run/TargetName.tsx';
import { connectionAtom } from '#src/state/connection.ts';
import { chartHostAtom, timelineHostAtom } from '#src/state/focus.ts';
import type { UserSession } from '#src/state/user-session.ts';
import { historyAtom, runningCommandsAtom } from '#src/state/work.ts';
import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';
import { lazyPart } from '#src/ui/lazy-part.tsx';
import { tip } from '#src/ui/tip.ts';

import type { LastLineProps } from './LastLine.tsx';
import type { PendingKeysProps } from './PendingKeys.tsx';
import type { RunningWorkProps } from './RunningWork.tsx';

// These load on demand, because they appear only after a keypress or with a chart or timeline.
const RunningWork = lazyPart<RunningWorkProps>(async () => (await import('./RunningWork.tsx')).RunningWork);
const PendingKeys = lazyPart<PendingKeysProps>(async () => (await import('./PendingKeys.tsx')).PendingKeys);
const LastLine = lazyPart<LastLineProps>(async () => (await import('./LastLine.tsx')).LastLine);
const ViewKeys = lazyPart(async () => (await import('./ViewKeys.tsx')).ViewKeys);

const hasViewKeysAtom = atom((get) => get(chartHostAtom) !== undefined || get(timelineHostAtom) !== undefined);

/**
 * The state that keys act on: the target, a pending sequence, the keys of a chart or timeline, running work, the last
 * command with its undo, and the connection.
 */
export function StatusLine({ session }: { readonly session: UserSession }) {
  const t = useText();
  const pendingKeys = useAtomValue(pendingKeysAtom);
  const hasViewKeys = useAtomValue(hasViewKeysAtom);
  return (
    <footer
      aria-label={t('shell.status')}
      className="col-span-2 flex h-status items-center gap-3 overflow-hidden border-t border-line bg-surface-1 px-3 text-label text-ink-2 [&_:focus-visible]:-outline-offset-2"
    >
      {session.organization.id && <Target />}
      {pendingKeys && <PendingKeys pending={pendingKeys} />}
      <SlowKeys />
      <Work />
      <div className="min-w-0 flex-1">{hasViewKeys && !pendingKeys && <ViewKeys />}</div>
      <LastCommand organization={session.organization.id} />
      {session.organization.id && <ConnectionMark />}
    </footer>
  );
}

/** The target that keys act on, or the name of the screen if there is no target. */
function Target() {
  const t = useText();
  const name = useTargetName();
  if (name === undefined) return <ScreenName />;
  return (
    <button
      type="button"
      aria-label={t('target.label', { name })}
      {...tip(t('target.hint'), { side: 'top' })}
      onClick={() => void invoke({ id: 'app.actions', args: {} })}
      className="max-w-80 min-w-0 shrink-0 truncate rounded-chip bg-accent px-1.5 font-mono font-semibold text-on-accent hover:opacity-90"
    >
      <TargetName />
    </button>
  );
}

function ScreenName() {
  const translate = useTranslate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const screen = destinationAround(path);
  if (!screen) return null;
  return (
    <span className="rounded-chip bg-accent px-1.5 font-mono font-semibold text-on-accent uppercase">
      {translate(screen.title)}
    </span>
  );
}

/** Says that keys wait for something that loads slowly. It can't load on demand itself. */
function SlowKeys() {
  const t = useText();
  if (!useAtomValue(slowKeysAtom)) return null;
  return (
    <span role="status" className="flex items-center gap-1.5 whitespace-nowrap">
      {t('keys.waiting')} <Kbd spoken keys={formatKeys('Escape')} /> {t('keys.cancel')}
    </span>
  );
}

function Work() {
  const newestTask = useAtomValue(runningCommandsAtom).at(-1);
  return newestTask ? <RunningWork task={newestTask} /> : null;
}

function LastCommand({ organization }: { readonly organization: string }) {
  const history = useAtomValue(historyAtom);
  const last = lastInvocation(history, organization);
  if (!last) return null;
  return <LastLine organization={organization} invocation={last} />;
}

const CONNECTION_COLORS = {
  connecting: 'bg-ink-3',
  live: 'bg-health-ok',
  reconnecting: 'bg-health-warning',
  offline: 'bg-health-error',
} as const;

function ConnectionMark() {
  const t = useText();
  const connection = useAtomValue(connectionAtom);
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap" role="status">
      <span aria-hidden className={cx('size-1.5 rounded-full', CONNECTION_COLORS[connection])} />
      {t(`shell.connection.${connection}`)}
    </span>
  );
}
