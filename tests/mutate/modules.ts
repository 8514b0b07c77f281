import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './mutants.ts';

/** Code that must not break unnoticed, and the tests nearest to it. A folder stands for all that is in it. */
interface Listed {
  files: readonly string[];
  /** Nearest first. Whoever moves or adds a test of such code keeps this current. */
  tests: readonly string[];
}

export interface Module {
  name: string;
  files: readonly string[];
  tests: readonly string[];
}

const listed: Readonly<Record<string, Listed>> = {
  policies: {
    files: ['server/policies/'],
    tests: [
      'server/policies/rights.test.ts',
      'server/policies/policy.test.ts',
      'server/policies/effects.test.ts',
      'server/session/',
      'server/services/role/',
      'server/services/support.test.ts',
      'server/policies/',
    ],
  },
  session: {
    files: ['server/session/'],
    tests: [
      'server/session/address-pattern.test.ts',
      'server/session/sign-in-rules.test.ts',
      'server/session/rights.test.ts',
      'server/session/scope.test.ts',
      'server/session/activity.test.ts',
      'server/session/visits.test.ts',
      'server/session/calls.test.ts',
      'server/session/tenants.test.ts',
      'server/session/',
      'server/services/session/',
      'server/services/support.test.ts',
      'server/services/role/',
      'server/services/token.test.ts',
      'server/services/token/',
      'server/services/user/access.test.ts',
      'server/services/user/suspend.test.ts',
      'server/services/user/activity.test.ts',
      'server/policies/everybody.test.ts',
    ],
  },
  streams: {
    files: [
      'server/services/event/list.ts',
      'server/services/event/stream.ts',
      'server/services/event.ts',
      'server/events/bus.ts',
      'server/events/feed.ts',
      'server/events/filter.ts',
      'server/events/rights.ts',
      'server/events/visibility.ts',
    ],
    tests: [
      'server/services/event/stream.test.ts',
      'server/services/event.test.ts',
      'server/events/visibility.test.ts',
      'server/events/feed.test.ts',
      'server/events/filter.test.ts',
      'server/events/bus.test.ts',
      'server/events/rights-watch.test.ts',
      'server/services/event/list.test.ts',
      'server/services/user/open-streams.test.ts',
      'server/services/event/last-event.test.ts',
      'server/services/event/resolve.test.ts',
      'server/services/event/configuration.test.ts',
      'server/services/selections.test.ts',
      // Last: it races 2,800 streams.
      'server/services/event/revocation.test.ts',
    ],
  },
  delivery: {
    files: ['server/delivery/'],
    tests: [
      'server/delivery/',
      'server/services/webhook-headers.test.ts',
      'server/services/webhook-delivery.test.ts',
      'server/services/webhook.test.ts',
    ],
  },
  ingest: {
    files: ['server/events/ingest.ts', 'server/events/inactivity.ts', 'server/events/device-health.ts'],
    tests: [
      'server/events/ingest.test.ts',
      'server/events/silence.test.ts',
      'server/events/device-health.test.ts',
      'server/events/inactivity.test.ts',
      'server/services/event/configuration.test.ts',
    ],
  },
  selections: {
    files: [
      'server/services/shared/device-criteria.ts',
      'server/services/shared/device-list.ts',
      'server/services/shared/device-number.ts',
      'server/services/shared/device-sort.ts',
      'server/services/shared/device-where.ts',
      'server/services/shared/event-filters.ts',
      'server/services/shared/tag-selection.ts',
      'server/services/event/selection.ts',
      'server/services/message/selection.ts',
      'server/services/organization/selection.ts',
      'server/services/role/selection.ts',
      'server/services/user/selection.ts',
    ],
    tests: [
      'server/services/shared/',
      'server/services/selections.test.ts',
      'server/services/modem.test.ts',
      'server/services/device.test.ts',
      'server/services/tag.test.ts',
      'server/services/message.test.ts',
      'server/services/event.test.ts',
      'server/services/organization.test.ts',
      'server/services/user/selection.test.ts',
      'server/services/user/list.test.ts',
      'server/services/role/',
      'server/services/organization/selection.test.ts',
      'server/services/webhook.test.ts',
      'server/services/modem-default-lifecycle.test.ts',
      'server/services/older-clients.test.ts',
      'server/services/health.test.ts',
    ],
  },
  tokens: {
    files: ['server/services/token/', 'server/services/token.ts'],
    tests: [
      'server/services/token/',
      'server/services/token.test.ts',
      'server/session/tenants.test.ts',
      'server/services/user/open-streams.test.ts',
      'server/jobs.test.ts',
    ],
  },
  turns: {
    files: ['server/db/turns.ts', 'server/db/recent-use.ts', 'server/db/caller.ts'],
    tests: ['server/db/turns.test.ts', 'server/db/recent-use.test.ts', 'server/db/caller.test.ts'],
  },
  guard: { files: ['src/auth/guard.ts'], tests: ['src/auth/guard.test.ts'] },
  batch: {
    files: ['commands/core/batch.ts'],
    tests: ['commands/core/batch.test.ts'],
  },
  run: {
    files: ['commands/core/run.ts'],
    tests: ['commands/core/run.test.ts'],
  },
  history: {
    files: ['commands/core/history.ts'],
    tests: ['commands/core/history.test.ts', 'commands/core/run.test.ts'],
  },
  availability: {
    files: ['commands/core/availability.ts', 'commands/core/ability.ts'],
    tests: ['commands/core/availability.test.ts', 'commands/core/ability.test.ts', 'server/policies/policy.test.ts'],
  },
  line: {
    files: [
      'commands/core/line.ts',
      'commands/core/line-head.ts',
      'commands/core/link.ts',
      'commands/core/literals.ts',
      'commands/core/quotes.ts',
    ],
    tests: [
      'commands/core/line.test.ts',
      'commands/core/names.test.ts',
      'commands/registry.test.ts',
      'commands/cli/cli.test.ts',
      'commands/cli/help.test.ts',
    ],
  },
  query: { files: ['commands/query/'], tests: ['commands/query/'] },
  cli: {
    files: ['commands/cli/'],
    // The first ones without a server.
    tests: [
      'commands/cli/terminal.test.ts',
      'commands/cli/table.test.ts',
      'commands/cli/options.test.ts',
      'commands/cli/printer.test.ts',
      'commands/cli/login-file.test.ts',
      'commands/cli/history.test.ts',
      'commands/cli/forms.test.ts',
      'commands/cli/words.test.ts',
      'commands/cli/execute.test.ts',
      'commands/cli/help.test.ts',
      'commands/cli/',
    ],
  },
  ranking: {
    files: ['commands/text/score.ts'],
    tests: ['commands/text/score.test.ts', 'src/palette/fifty-queries.test.ts'],
  },
  undo: {
    files: ['commands/core/undo.ts', 'src/host/undo.ts'],
    tests: ['commands/core/undo.test.ts', 'src/host/undo.test.ts'],
  },
  target: {
    files: ['commands/core/focus.ts', 'commands/core/target.ts', 'src/keys/target.ts'],
    tests: [
      'commands/core/focus.test.ts',
      'src/keys/target.test.ts',
      'src/keys/target-matrix.test.ts',
      'src/keys/layer.test.ts',
    ],
  },
  plans: {
    files: ['commands/core/distribution.ts', 'commands/core/outline.ts'],
    tests: ['commands/core/distribution.test.ts', 'commands/core/outline.test.ts'],
  },
  words: {
    files: [
      'commands/core/errors.ts',
      'commands/core/overview.ts',
      'commands/core/filter-keys.ts',
      'commands/core/moment.ts',
      'commands/core/time.ts',
      'commands/core/values.ts',
      'commands/text/age.ts',
      'commands/text/near.ts',
      'commands/text/visible.ts',
    ],
    tests: [
      'commands/core/errors.test.ts',
      'commands/core/overview.test.ts',
      'commands/core/filter-keys.test.ts',
      'commands/core/moment.test.ts',
      'commands/core/time.test.ts',
      'commands/core/values.test.ts',
      'commands/text/',
    ],
  },
  paging: { files: ['src/table/paged-source.ts'], tests: ['src/table/paged-source.test.ts'] },
  selection: { files: ['src/table/selection.ts'], tests: ['src/table/selection.test.ts'] },
  // For the test of this tool.
  fixture: { files: ['tests/mutate/fixture/'], tests: ['tests/mutate/fixture/'] },
};

/** Helpers of tests, the programs around a module, and tests that run the sources in processes of their own. */
const notCode =
  /(\.test\.tsx?|\/(testing|test-kit)[^/]*|\/testing\/.*|-test-process\.ts|\/delivery\/receiver.*|\/cli\/main\.ts)$/;
const ownProcesses = /(\/kill|\/shell|\/start)\.test\.ts$/;

const exists = (path: string): boolean => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;

function under(path: string): string[] {
  if (!path.endsWith('/')) return exists(path) ? [path] : [];
  if (!exists(path)) return [];
  const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' });
  return names.toSorted().map((name) => path + name.replaceAll('\\', '/'));
}

export const modules: readonly Module[] = Object.entries(listed).map(([name, { files, tests }]) => ({
  name,
  files: [...new Set(files.flatMap(under))].filter((path) => /\.tsx?$/.test(path) && !notCode.test(path)),
  tests: [...new Set(tests.flatMap(under))].filter((path) => /\.test\.tsx?$/.test(path) && !ownProcesses.test(path)),
}));
