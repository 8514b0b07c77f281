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
      'server/events/publisher-filters.ts',
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
    files: ['commands/kit/batch.ts'],
    tests: ['commands/kit/batch.test.ts'],
  },
  run: {
    files: ['commands/run/run.ts'],
    tests: ['commands/run/run.test.ts'],
  },
  history: {
    files: ['commands/run/history.ts'],
    tests: ['commands/run/history.test.ts', 'commands/run/run.test.ts'],
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
    files: ['commands/run/undo.ts', 'src/run/undo.ts'],
    tests: ['commands/run/undo.test.ts', 'src/run/undo.test.ts'],
  },
  target: {
    files: ['commands/run/focus.ts', 'commands/model/target.ts', 'src/keys/target.ts'],
    tests: [
      'commands/run/focus.test.ts',
      'src/keys/target.test.ts',
      'src/keys/target-matrix.test.ts',
      'src/keymap/layer.test.ts',
    ],
  },
  plans: {
    files: ['commands/run/distribution.ts', 'commands/run/outline.ts'],
    tests: ['commands/run/distribution.test.ts', 'commands/run/outline.test.ts'],
  },
  words: {
    files: [
      'commands/model/errors.ts',
      'commands/model/overview.ts',
      'commands/kit/filter-keys.ts',
      'commands/text/moment.ts',
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
      'commands/text/moment.test.ts',
      'commands/model/time.test.ts',
      'commands/run/values.test.ts',
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
