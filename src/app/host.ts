import type { SupportSession } from '#commands/model/actor.ts';
import type { ConsoleLocation, IdentityAccount } from '#commands/model/host.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { sessionAtom, signOut } from '#src/auth/session.ts';
import { translate } from '#src/i18n/i18n.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { report } from '#src/net/report.ts';
import { directory, loadCommands, registry } from '#src/registry/registry.ts';
import { writeClipboard } from '#src/run/clipboard.ts';
import { provide } from '#src/run/context.ts';
import { runner } from '#src/run/invoke.ts';
import { guardLeaving } from '#src/run/leave-guard.ts';
import { pause } from '#src/run/pause.ts';
import { failedLoadsAtom } from '#src/state/failed-loads.ts';
import { panelHostAtom, tableHostAtom } from '#src/state/focus.ts';
import { expectScreen, waitForView } from '#src/state/key-queue.ts';
import { formAtom, helpOpenAtom, paletteAtom, tourOpenAtom } from '#src/state/layers.ts';
import { importOrThrow } from '#src/state/not-loaded.ts';
import { toggleRail } from '#src/state/rail.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { runningCommandsAtom } from '#src/state/work.ts';
import { listedFailedParts } from '#src/ui/lazy-part.tsx';

import { router } from './navigation.ts';

/** Registers the browser's capabilities for commands. The table and the panel register themselves with each screen. */
export function startHost(): void {
  provide({
    navigate: navigateTo,
    palette: { open: (start) => store.set(paletteAtom, { open: true, start }) },
    form: { open: (invocation) => store.set(formAtom, invocation) },
    focusedForm: { submit: () => document.activeElement?.closest('form')?.requestSubmit() },
    report,
    help: { open: () => store.set(helpOpenAtom, true) },
    tour: { open: () => store.set(tourOpenAtom, true) },
    rail: { toggle: toggleRail },
    clipboard: { write: writeClipboard },
    link: { current: () => window.location.href },
    settings: {
      get: () => store.get(settingsAtom),
      set: (change) => store.set(settingsAtom, (settings) => ({ ...settings, ...change })),
    },
    session: { signOut, actAs, returnHome: () => actAs(undefined), updateSupportSession },
    identity: { current: currentIdentity },
    history: {
      undo: (recordId) => runner().undo(recordId),
      repeat: () => runner().repeat(),
      last: () => runner().lastRun(),
    },
    files: {
      upload: async (...request) => (await filesHost()).upload(...request),
      fetch: async (...request) => (await filesHost()).fetch(...request),
      save: async (content) => (await filesHost()).save(content),
    },
    csv: {
      save: async (name, rows) => (await importOrThrow(import('#src/data/save-csv.ts'))).saveCsv(name, rows),
    },
    translate,
    timer: { pause },
    line: { print: printInvocation },
    work: {
      cancel: () => store.get(runningCommandsAtom).at(-1)?.cancel(),
      retry: () => runner().retry(),
      continueRun: () => runner().continueRun(),
      pause: () => runner().pauseRun(),
      showResults: () => runner().showResults(),
      selectResults: (kind) => runner().selectResults(kind),
      saveResults: () => runner().saveResults(),
    },
    loads: { retry: retryLoads },
    keys: {
      print: () => runner().printOverrides(store.get(overridesAtom)),
      problem: (text) => runner().problemOfText(text, directory()),
      replace: replaceKeys,
      commands: () => runner().suggestCommands(directory(), store.get(overridesAtom)),
      add: (id, keys) => store.set(overridesAtom, (current) => runner().addCustomKeys(id, keys, directory(), current)),
      remove: (id, keys) =>
        store.set(overridesAtom, (current) => runner().removeCustomKeys(id, keys, directory(), current)),
    },
  });
  guardLeaving();
  const updateHosts = (): void => provide({ table: store.get(tableHostAtom), panel: store.get(panelHostAtom) });
  store.sub(tableHostAtom, updateHosts);
  store.sub(panelHostAtom, updateHosts);
}

/** The first screen needs no files. */
const filesHost = async () => (await importOrThrow(import('#src/data/files-host.ts'))).filesHost;

function currentIdentity(): IdentityAccount | undefined {
  const session = store.get(sessionAtom);
  if (session.status !== 'signed-in' || session.method !== 'identity') return undefined;
  const { providers, emailVerified } = session;
  return { providers, emailVerified, factors: session.factors.map(({ label }) => label) };
}

async function printInvocation(invocation: Invocation): Promise<string> {
  const [{ printLine }] = await Promise.all([import('#commands/line/line.ts'), loadCommands([invocation.id])]);
  return printLine(invocation, registry());
}

function replaceKeys(text: string): number {
  const overrides = runner().readOverrides(text, directory());
  store.set(overridesAtom, overrides);
  return Object.keys(overrides).length;
}

function retryLoads(): boolean {
  const failedLoads = [...store.get(failedLoadsAtom), ...listedFailedParts()];
  for (const load of failedLoads) load();
  return failedLoads.length > 0;
}

function navigateTo({ path, search = {} }: ConsoleLocation): void {
  void showScreen(path, search);
}

/** Navigates to a screen. Keystrokes wait until the screen is shown. */
function showScreen(path: string, search: ConsoleLocation['search'] & object): Promise<void> {
  const { buildLocation, navigate, state } = router();
  if (buildLocation({ to: path, search }).href === state.location.href) return navigate({ to: path, search });
  expectScreen();
  return waitForView(navigate({ to: path, search }));
}

/** Updates the support session. The frame and the available commands depend on it. */
function updateSupportSession(supportSession: SupportSession | undefined): void {
  store.set(
    userSessionAtom,
    (session) => session && { ...session, organization: { ...session.organization, supportSession } },
  );
}

/** Shows the same screen for another organization, without the filter and panel of the previous organization. */
async function actAs(organization: string | undefined): Promise<void> {
  const home = store.get(userSessionAtom)?.actor.home;
  const { pathname } = router().state.location;
  await showScreen(pathname, organization && organization !== home ? { organization } : { organization: undefined });
}
