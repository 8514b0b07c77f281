import type { DescService } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { isChange } from '#server/testkit/policies/effects.ts';

import { sources } from './sources.ts';

// Conventions that a text search can check.

const modules = import.meta.glob<Record<string, unknown>>('../../proto/gen/**/*_pb.ts', { eager: true });

/** The services' descriptors by export name: `TagService`. */
const services = Object.values(modules)
  .flatMap((module) => Object.entries(module))
  .filter((entry): entry is [string, DescService] => (entry[1] as { kind?: string } | undefined)?.kind === 'service');

const consoleSources = sources.filter(({ path }) => path.startsWith('src/'));

test('calls mutating rpcs only from commands', () => {
  expect(services.length).toBeGreaterThan(30);
  const calls = consoleSources.flatMap(({ path, text }) =>
    services.flatMap(([name, service]) => {
      if (!new RegExp(`\\b${name}\\b`).test(text)) return [];
      const calledMethods = service.methods.filter(
        (method) => isChange(method) && new RegExp(`\\.${method.localName}\\b`).test(text),
      );
      return calledMethods.map((method) => `${path} calls ${name}.${method.name}`);
    }),
  );
  expect(calls).toEqual([]);
});

/** Files with buttons that don't run a command, for example because they close, sign in, or retry. */
const WITHOUT_COMMAND = [
  /^src\/run\/Command(Button|Link)\.tsx$/, // the button of a command, and a name that runs one
  /^src\/(sign-in\/|screens\/ScreenError\.tsx$)/, // before there is a session, or after a screen has crashed
  /^src\/shell\/\w+Dialog\.tsx$/, // closing, and copying a secret shown once
  /^src\/form\//, // part of a command's form: running it, copying its line, closing
  /^src\/table\//, // part of the table: selecting, reloading, sorting by a title
  /^src\/filter\//, // part of the filter's text: clearing it, accepting a correction
  /^src\/panel\/(ItemLink|DetailTabRows)\.tsx$/, // opening the named item, as Enter on its row does
  /^src\/panel\/(LoadMore|log\/Entry)\.tsx$/, // loading more rows; showing the earlier texts of an entry
  /^src\/panel\/FormError\.tsx$/, // closing a form that could not be loaded
  /^src\/panel\/DetailList\.tsx$/, // opening the form of a detail's command in place
  /^src\/search\/Footer\.tsx$/, // doing the same as a key in the field above
  /^src\/keys\/(CommandDetails|tour\/Tour)\.tsx$/, // copying an example; closing the tour
  /^src\/keys\/RebindField\.tsx$/, // removing one of a command's keys, as `app.remove-key` does
  /^src\/(chart\/PointTable|panel\/ValuesTab)\.tsx$/, // showing more rows; adding a field to the chart
  /^src\/shell\/StatusLine\.tsx$/, // opening the target's commands
  /^src\/screens\/parser-bench\//, // choosing and comparing messages; saving, which runs the commands of parsers
  /^src\/shell\/FailedPartsBanner\.tsx$/, // loading what commands may need, or reloading the page
];

test('runs a command from every button', () => {
  const withButtons = consoleSources.filter(
    ({ path, text }) => !path.startsWith('src/ui/') && /<(button|Button|IconButton)\b/.test(text),
  );
  const offenders = withButtons.filter(({ path }) => !WITHOUT_COMMAND.some((allowed) => allowed.test(path)));
  expect(offenders.map(({ path }) => path)).toEqual([]);
});

test('uses its own tooltips, and no title attributes', () => {
  const title = /<[a-z][\w]*(?=\s)(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|"[^"]*"|[^<>{}"])*?\stitle=/;
  expect(title.test('<span className={cx({ a: () => b })} title={c}>')).toBe(true);
  const titled = consoleSources.filter(({ path, text }) => path.endsWith('.tsx') && title.test(text));
  expect(titled.map(({ path }) => path)).toEqual([]);
});

test('shows readable text in plans, not constants', () => {
  const constant = /\b(?:before|after): (?:[^\n]*\? )?'[a-z][^':\n]*'/;
  expect(constant.test("after: verb === 'enable' ? 'active' : 'disabled',")).toBe(true);
  expect(constant.test("before: message(on ? 'lamp:state.on' : 'lamp:state.off'),")).toBe(false);
  const offenders = sources.filter(({ path, text }) => path.startsWith('commands/') && constant.test(text));
  expect(offenders.map(({ path }) => path)).toEqual([]);
});

test('imports from the declaring module', () => {
  const barrels = sources.filter(({ text }) => /^export (\*|\{[^}]*\}) from/m.test(text));
  // These two list things, one per line. Code imports them only as a whole.
  const lists = ['server/http/rpc/policies.ts', 'server/http/rpc/services.ts'];
  expect(barrels.map(({ path }) => path)).toEqual(lists);
  const partial = sources.filter(({ text }) => /^import (?!\* as)[^;]*\/(policies|services)\.ts'/m.test(text));
  expect(partial.map(({ path }) => path)).toEqual([]);
});

test('uses named exports', () => {
  const unnamed = sources.filter(({ text }) => /^export default\b/m.test(text));
  expect(unnamed.map(({ path }) => path)).toEqual([]);
});
