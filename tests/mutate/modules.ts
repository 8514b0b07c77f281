import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './mutants.ts';

/** Critical code, and the tests nearest to it. A folder stands for everything in it. */
interface ModuleFiles {
  readonly files: readonly string[];
  /** Nearest first. Update the list when you move or add a test for this code. */
  readonly tests: readonly string[];
}

export interface Module {
  readonly name: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

const moduleFiles: Readonly<Record<string, ModuleFiles>> = {
  policies: {
    files: ['server/policies/'],
    tests: [
      'server/policies/permissions.test.ts',
      'server/policies/policy.test.ts',
      'server/policies/effects.test.ts',
      'server/session/',
      'server/domains/people/role/',
      'server/domains/self/me/override.test.ts',
      'server/domains/people/support-session/service.test.ts',
      'server/policies/',
    ],
  },
  session: {
    files: ['server/session/', 'server/app/activity.ts'],
    tests: [
      'server/session/address-pattern.test.ts',
      'server/session/sign-in-rules.test.ts',
      'server/session/access-changes.test.ts',
      'server/session/scope.test.ts',
      'server/app/activity.test.ts',
      'server/session/support-sessions.test.ts',
      'server/session/calls.test.ts',
      'server/session/tenants.test.ts',
      'server/session/',
      'server/domains/people/sign-in/',
      'server/domains/people/support-session/service.test.ts',
      'server/domains/people/role/',
      'server/domains/self/me/override.test.ts',
      'server/domains/integrations/token/service.test.ts',
      'server/domains/integrations/token/',
      'server/domains/people/user/access.test.ts',
      'server/domains/people/user/suspend.test.ts',
      'server/domains/people/user/activity.test.ts',
      'server/policies/all-callers.test.ts',
    ],
  },
  streams: {
    files: [
      'server/domains/signals/event/list.ts',
      'server/domains/signals/event/stream.ts',
      'server/domains/signals/event/service.ts',
      'server/events/bus.ts',
      'server/events/feed.ts',
      'server/events/filter.ts',
      'server/events/publisher-filters.ts',
      'server/events/access.ts',
      'server/events/visibility.ts',
    ],
    tests: [
      'server/domains/signals/event/stream.test.ts',
      'server/domains/signals/event/service.test.ts',
      'server/events/visibility.test.ts',
      'server/events/feed.test.ts',
      'server/events/filter.test.ts',
      'server/events/bus.test.ts',
      'server/events/access-watch.test.ts',
      'server/domains/signals/event/list.test.ts',
      'server/domains/people/user/open-streams.test.ts',
      'server/domains/signals/event/last-event.test.ts',
      'server/domains/signals/event/resolve.test.ts',
      'server/domains/signals/event/health-configuration.test.ts',
      'server/domains/signals/event/message-summary.test.ts',
      'server/domains/fleet/device/selections.test.ts',
      // Last because it races 2,800 streams.
      'server/domains/signals/event/revocation.test.ts',
    ],
  },
  delivery: {
    files: [
      'server/publishing/targets/webhook/',
      'server/publishing/policy.ts',
      'server/publishing/fan-out.ts',
      'server/publishing/health.ts',
      'server/publishing/outbox.ts',
      'server/publishing/settle.ts',
      'server/publishing/worker.ts',
    ],
    tests: [
      'server/publishing/targets/webhook/',
      'server/publishing/',
      'server/domains/integrations/webhook/headers.test.ts',
      'server/domains/integrations/webhook/delivery-service.test.ts',
      'server/domains/integrations/webhook/service.test.ts',
    ],
  },
  ingest: {
    files: [
      'server/domains/fleet/message/ingest.ts',
      'server/domains/signals/alarm/inactivity.ts',
      'server/domains/signals/health-level/device-health.ts',
    ],
    tests: [
      'server/domains/fleet/message/ingest.test.ts',
      'server/domains/signals/alarm/silence.test.ts',
      'server/domains/signals/health-level/device-health.test.ts',
      'server/domains/signals/alarm/inactivity.test.ts',
      'server/domains/signals/event/health-configuration.test.ts',
      'server/domains/signals/event/message-summary.test.ts',
    ],
  },
  selections: {
    files: [
      'server/domains/fleet/device/model/criteria.ts',
      'server/domains/fleet/device/model/list.ts',
      'server/domains/fleet/device/model/listed-device.ts',
      'server/domains/fleet/device/model/related.ts',
      'server/domains/fleet/device/model/number.ts',
      'server/domains/fleet/device/model/sort.ts',
      'server/domains/fleet/device/model/orders.ts',
      'server/domains/fleet/device/model/where.ts',
      'server/domains/fleet/device/model/included-devices.ts',
      'server/domains/signals/notification/event-filters.ts',
      'server/domains/fleet/device/model/tag-selection.ts',
      'server/domains/signals/event/selection.ts',
      'server/domains/fleet/message/selection.ts',
      'server/domains/people/organization/selection.ts',
      'server/domains/people/role/selection.ts',
      'server/domains/people/user/model/selection.ts',
    ],
    tests: [
      'server/domains/fleet/device/model/criteria.test.ts',
      'server/domains/fleet/device/model/list.test.ts',
      'server/domains/fleet/device/model/named-devices.test.ts',
      'server/domains/fleet/device/model/sort.test.ts',
      'server/domains/fleet/device/model/where.test.ts',
      'server/domains/signals/notification/event-filters.test.ts',
      'server/db/locations.test.ts',
      'server/domains/fleet/device/selections.test.ts',
      'server/domains/fleet/device/modem-service.test.ts',
      'server/domains/fleet/device/device-service.test.ts',
      'server/domains/fleet/tag/service.test.ts',
      'server/domains/fleet/message/service.test.ts',
      'server/domains/signals/event/service.test.ts',
      'server/domains/people/organization/service.test.ts',
      'server/domains/people/user/model/selection.test.ts',
      'server/domains/people/user/list.test.ts',
      'server/domains/people/role/',
      'server/domains/self/me/override.test.ts',
      'server/domains/people/organization/selection.test.ts',
      'server/domains/integrations/webhook/service.test.ts',
      'server/domains/fleet/device/default-lifecycle.test.ts',
      'server/domains/fleet/device/older-clients.test.ts',
      'server/domains/signals/health-level/service.test.ts',
      'server/domains/signals/health-level/changes.test.ts',
    ],
  },
  tokens: {
    files: ['server/domains/integrations/token/', 'server/domains/integrations/token/service.ts'],
    tests: [
      'server/domains/integrations/token/',
      'server/domains/integrations/token/service.test.ts',
      'server/session/tenants.test.ts',
      'server/domains/people/user/open-streams.test.ts',
      'server/jobs/jobs.test.ts',
    ],
  },
  turns: {
    files: ['server/db/pool/turns.ts', 'server/db/pool/recent-use.ts', 'server/db/pool/caller.ts'],
    tests: ['server/db/pool/turns.test.ts', 'server/db/pool/recent-use.test.ts', 'server/db/pool/caller.test.ts'],
  },
  guard: { files: ['src/auth/guard.ts'], tests: ['src/auth/guard.test.ts', 'src/auth/guard-console.test.ts'] },
  batch: {
    files: ['commands/run/batch.ts'],
    tests: ['commands/run/batch.test.ts'],
  },
  kit: {
    files: [
      'commands/kit/attributes.ts',
      'commands/kit/bulk-action.ts',
      'commands/kit/edit-command.ts',
      'commands/kit/edit-plan.ts',
      'commands/kit/editing.ts',
    ],
    tests: [
      'commands/kit/attributes.test.ts',
      'commands/kit/bulk-action.test.ts',
      'commands/kit/edit-command.test.ts',
      'commands/kit/editing.test.ts',
    ],
  },
  run: {
    files: ['commands/run/run.ts', 'commands/run/storable-args.ts'],
    tests: ['commands/run/prepare.test.ts', 'commands/run/run.test.ts'],
  },
  history: {
    files: ['commands/run/history.ts', 'commands/run/stored-change.ts', 'src/run/stored-history.ts'],
    tests: [
      'commands/run/history.test.ts',
      'commands/run/prepare.test.ts',
      'commands/run/run.test.ts',
      'src/run/stored-history.test.ts',
      'commands/cli/history.test.ts',
    ],
  },
  availability: {
    files: ['commands/run/availability.ts', 'commands/model/ability.ts'],
    tests: ['commands/run/availability.test.ts', 'commands/model/ability.test.ts', 'server/policies/policy.test.ts'],
  },
  line: {
    files: [
      'commands/line/line.ts',
      'commands/line/line-head.ts',
      'commands/line/link.ts',
      'commands/line/literals.ts',
      'commands/text/quotes.ts',
    ],
    tests: [
      'commands/line/line.test.ts',
      'commands/text/names.test.ts',
      'commands/nouns/registry.test.ts',
      'commands/cli/cli.test.ts',
      'commands/cli/help.test.ts',
    ],
  },
  query: { files: ['commands/query/'], tests: ['commands/query/'] },
  cli: {
    files: ['commands/cli/'],
    // Tests that need no server come first.
    tests: [
      'commands/cli/terminal.test.ts',
      'commands/cli/table.test.ts',
      'commands/cli/options.test.ts',
      'commands/cli/printer.test.ts',
      'commands/cli/login-file.test.ts',
      'commands/cli/history.test.ts',
      'commands/cli/missing-arguments.test.ts',
      'commands/cli/words.test.ts',
      'commands/cli/execute.test.ts',
      'commands/cli/help.test.ts',
      'commands/cli/',
    ],
  },
  units: { files: ['commands/units/'], tests: ['commands/units/'] },
  ranking: {
    files: ['commands/text/characters.ts', 'commands/text/score.ts'],
    tests: ['commands/text/score.test.ts', 'src/palette/fifty-queries.test.ts'],
  },
  undo: {
    files: ['commands/run/undo.ts', 'commands/run/undo-run.ts', 'src/run/undo.ts'],
    tests: [
      'commands/run/prepare-undo.test.ts',
      'commands/run/undo.test.ts',
      'src/run/undo.test.ts',
      'src/run/repeat.test.ts',
    ],
  },
  target: {
    files: ['commands/run/focus.ts', 'commands/model/target.ts', 'src/keymap/target.ts'],
    tests: [
      'commands/run/focus.test.ts',
      'src/keymap/target.test.ts',
      'src/keys/target-matrix.test.ts',
      'src/keymap/layer.test.ts',
    ],
  },
  plans: {
    files: ['commands/run/distribution.ts', 'commands/run/outline.ts'],
    tests: ['commands/run/distribution.test.ts', 'commands/run/outline.test.ts'],
  },
  texts: {
    files: [
      'commands/model/errors.ts',
      'commands/model/overview.ts',
      'commands/kit/filter-keys.ts',
      'commands/kit/matching.ts',
      'commands/text/moment.ts',
      'commands/model/moment.ts',
      'commands/model/time.ts',
      'commands/run/values.ts',
      'commands/text/age.ts',
      'commands/text/near.ts',
      'commands/text/visible.ts',
    ],
    tests: [
      'commands/model/errors.test.ts',
      'commands/model/overview.test.ts',
      'commands/kit/filter-keys.test.ts',
      'commands/kit/matching.test.ts',
      'commands/text/moment.test.ts',
      'commands/model/moment.test.ts',
      'commands/model/time.test.ts',
      'commands/run/values.test.ts',
      'commands/text/',
    ],
  },
  lists: {
    files: ['commands/kit/assignment.ts', 'commands/kit/list-change.ts'],
    tests: ['commands/kit/list-change.test.ts', 'commands/kit/assignment.test.ts'],
  },
  lookup: {
    files: ['commands/run/lookup.ts', 'commands/run/resolve.ts'],
    tests: [
      'commands/run/lookup.test.ts',
      'commands/run/resolve.test.ts',
      'commands/run/prepare.test.ts',
      'commands/run/run.test.ts',
    ],
  },
  keyQueue: { files: ['src/state/key-queue.ts'], tests: ['src/state/key-queue.test.ts'] },
  drafts: { files: ['src/run/draft.ts'], tests: ['src/run/draft.test.ts'] },
  planView: { files: ['src/run/plan/'], tests: ['src/run/plan/'] },
  consoleRun: {
    files: [
      'src/run/runner.ts',
      'src/run/settle.ts',
      'src/run/track.ts',
      'src/run/last-run.ts',
      'src/run/running.ts',
      'src/run/denials.ts',
      'src/run/leave-guard.ts',
    ],
    tests: [
      'src/run/runner.test.ts',
      'src/run/settle.test.ts',
      'src/run/undo.test.ts',
      'src/run/repeat.test.ts',
      'src/run/denials.test.ts',
      'src/run/leave-guard.test.ts',
      'src/run/after-reload.test.ts',
    ],
  },
  runParts: {
    files: [
      'src/run/clipboard.ts',
      'src/run/command-action.ts',
      'src/run/CommandButton.tsx',
      'src/run/context.ts',
      'src/run/copy-line.ts',
      'src/run/invoke.ts',
      'src/run/store-unsaved.ts',
      'src/run/LoadError.tsx',
      'src/run/PartError.tsx',
      'src/run/ScreenMessage.tsx',
      'src/run/show-error.ts',
      'src/run/TargetName.tsx',
      'src/run/use-context.ts',
      'src/run/use-unsaved.ts',
    ],
    tests: [
      'src/run/parts.test.tsx',
      'src/run/context.test.ts',
      'src/run/invoke.test.ts',
      'src/run/load-commands.test.ts',
      'src/run/clipboard.test.ts',
      'src/run/ScreenMessage.test.tsx',
      'src/run/store-unsaved.test.ts',
      'src/run/settle.test.ts',
    ],
  },
  rows: { files: ['src/palette/rows/'], tests: ['src/palette/rows/'] },
  paging: {
    files: ['src/table/paged-source.ts'],
    tests: ['src/table/paged-source.test.ts', 'src/table/paged-source-changes.test.ts'],
  },
  selection: { files: ['src/table/selection.ts'], tests: ['src/table/selection.test.ts'] },
  // For this tool's own test.
  fixture: { files: ['tests/mutate/fixture/'], tests: ['tests/mutate/fixture/'] },
};

/** Tests, their helpers, and the entry point of the CLI, which are not mutated. */
const NOT_MUTATED = /(\.test\.tsx?|\/(testing|test-kit)[^/]*|\/(testing|testkit)\/.*|\/cli\/main\.ts)$/;
/** Tests that run the sources in their own processes. */
const SPAWNING_TESTS = /(\/kill|\/shell|\/start)\.test\.ts$/;

const exists = (path: string): boolean => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;

function filesUnder(path: string): string[] {
  if (!path.endsWith('/')) return exists(path) ? [path] : [];
  if (!exists(path)) return [];
  const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' });
  return names.toSorted().map((name) => path + name.replaceAll('\\', '/'));
}

export const modules: readonly Module[] = Object.entries(moduleFiles).map(([name, { files, tests }]) => ({
  name,
  files: [...new Set(files.flatMap(filesUnder))].filter((path) => /\.tsx?$/.test(path) && !NOT_MUTATED.test(path)),
  tests: [...new Set(tests.flatMap(filesUnder))].filter(
    (path) => /\.test\.tsx?$/.test(path) && !SPAWNING_TESTS.test(path),
  ),
}));
