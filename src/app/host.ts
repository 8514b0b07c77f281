import type { Place, SignedIn } from '#commands/model/host.ts';
import { printLine } from '#commands/line/line.ts';
import type { Visit } from '#commands/model/actor.ts';
import { registry } from '#commands/nouns/all.ts';

import { sessionAtom, signOut } from '#src/auth/session.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { printOverrides, problemOfText, readOverrides } from '#src/keymap/exchange.ts';
import { router } from './navigation.ts';
import { actingAtom } from '#src/state/acting.ts';
import { leave } from '#src/state/arrival.ts';
import { failedLoadsAtom } from '#src/state/failed-loads.ts';
import { panelHostAtom, tableHostAtom } from '#src/state/focus.ts';
import { formAtom, helpOpenAtom, paletteAtom } from '#src/state/layers.ts';
import { toggleRail } from '#src/state/rail.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';
import { writeClipboard } from '#src/run/clipboard.ts';
import { provide } from '#src/run/context.ts';
import { cancelNewest, goOn, last, repeat, retry } from '#src/run/runner.ts';
import { askBeforeLeaving } from '#src/run/stay.ts';
import { undo } from '#src/run/undo.ts';

/** Everything a browser can do for a command; the table and the panel come and go with the screen. */
export function startHost(): void {
  provide({
    navigate: navigateTo,
    palette: { open: (start) => store.set(paletteAtom, { open: true, start }) },
    form: { open: (invocation) => store.set(formAtom, invocation) },
    help: { open: () => store.set(helpOpenAtom, true) },
    rail: { toggle: toggleRail },
    clipboard: { write: writeClipboard },
    link: { current: () => window.location.href },
    settings: {
      get: () => store.get(settingsAtom),
      set: (change) => store.set(settingsAtom, (all) => ({ ...all, ...change })),
    },
    session: { signOut, actAs, returnHome: () => actAs(undefined), visiting },
    identity: { current: signedInByIdentity },
    history: { undo, repeat, last },
    line: { print: (invocation) => printLine(invocation, registry) },
    work: { cancel: cancelNewest, retry, goOn },
    loads: { retry: loadAgain },
    keys: {
      print: () => printOverrides(store.get(overridesAtom)),
      problem: (text) => problemOfText(text, registry),
      replace: replaceKeys,
    },
  });
  askBeforeLeaving();
  const follow = (): void => provide({ table: store.get(tableHostAtom), panel: store.get(panelHostAtom) });
  store.sub(tableHostAtom, follow);
  store.sub(panelHostAtom, follow);
}

function signedInByIdentity(): SignedIn | undefined {
  const session = store.get(sessionAtom);
  if (session.status !== 'signed-in' || session.by !== 'identity') return undefined;
  const { providers, emailVerified } = session;
  return { providers, emailVerified, factors: session.factors.map(({ label }) => label) };
}

function replaceKeys(text: string): number {
  const overrides = readOverrides(text, registry);
  store.set(overridesAtom, overrides);
  return Object.keys(overrides).length;
}

function loadAgain(): boolean {
  const failed = store.get(failedLoadsAtom);
  for (const load of failed) load();
  return failed.length > 0;
}

function navigateTo({ path, search = {} }: Place): void {
  void go(path, search);
}

/** Keys that are pressed before the screen is there are for that screen. */
function go(to: string, search: Place['search'] & object): Promise<void> {
  const { buildLocation, navigate, state } = router();
  if (buildLocation({ to, search }).href !== state.location.href) leave();
  return navigate({ to, search });
}

/** The frame follows what the visit has become, and so does what commands may do. */
function visiting(visit: Visit | undefined): void {
  store.set(actingAtom, (acting) => acting && { ...acting, organization: { ...acting.organization, visit } });
}

/** The same screen, seen from another organization: its filter and panel were of the one before. */
async function actAs(organization: string | undefined): Promise<void> {
  const home = store.get(actingAtom)?.actor.home;
  const to = router().state.location.pathname;
  await go(to, organization && organization !== home ? { organization } : { organization: undefined });
}
