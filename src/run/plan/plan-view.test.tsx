import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';

import type { CurrentOrganization } from '#commands/model/actor.ts';
import type { Command } from '#commands/model/command.ts';
import type { Change, Plan } from '#commands/model/plan.ts';
import { testContext } from '#commands/testkit/context.ts';
import { simplePlan, tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { consoleStrings } from '#src/i18n/console-strings.ts';
import { addStrings, loadAllStrings, i18n } from '#src/i18n/i18n.ts';

import { PlanView } from './PlanView.tsx';

const { organization } = testContext();
const summary = message('crane:move');
const base: Plan = { summary, count: 1, changes: [], reversible: true };

beforeAll(async () => {
  addStrings(consoleStrings);
  i18n.addResourceBundle('en', 'crane', {
    move: 'Move the crane',
    height: 'Height',
    tags: 'Tags',
    slow: 'This takes long',
    tall: 'Tall',
  });
  await loadAllStrings();
});
afterEach(cleanup);

function show(
  plan: Partial<Plan> | undefined,
  effect: Command['effect'] = 'write',
  overrides: Partial<CurrentOrganization> = {},
): HTMLElement {
  const preparedRun = { command: { effect } as Command, plan: plan && { ...base, ...plan } };
  return render(<PlanView preparedRun={preparedRun} organization={{ ...organization, ...overrides }} />).container;
}
const textOf = (...args: Parameters<typeof show>): string => show(...args).textContent ?? '';
const linesOf = (plan: Partial<Plan>): readonly (string | null)[] =>
  [...show(plan).querySelectorAll('li')].map(({ textContent }) => textContent);

const heightChange = (id: string, before: string, after: string): Change => ({
  id,
  label: `Crane ${id}`,
  field: message('crane:height'),
  before,
  after,
});

test('lists the changed lines of a text, one below the other', () => {
  const change: Change = {
    id: 'a',
    label: 'Crane a',
    field: message('crane:tall'),
    added: ['type: u4', '# on'],
    removed: ['type: u2', 'size: 2'],
    lines: {
      shown: [
        { line: 5, part: 'raw', before: 'type: u2', after: 'type: u4' },
        { line: 6, part: 'pad', before: 'size: 2' },
        { line: 7, after: '# on' },
      ],
      moreCount: 4,
    },
  };
  expect(linesOf({ changes: [change] }).slice(1)).toEqual([
    'line 5 rawtype: u2 → type: u4',
    'line 6 pad− size: 2',
    'line 7+ # on',
    'and 4 more',
  ]);
});

test('names the change, its organization, its notes, and whether it can be undone', () => {
  expect(textOf({})).toBe('Move the crane in Northwind Energyreversible');
  expect(textOf({ notes: [message('crane:slow')] })).toBe(
    'Move the crane in Northwind EnergyThis takes long · reversible',
  );
  expect(textOf({ reversible: false })).toBe("Move the crane in Northwind Energycan't be undone");
  expect(show(undefined).innerHTML).toBe('');
});

test('states the stages and the limit of failures', () => {
  expect(textOf({ staged: true })).toContain('In stages: 1, then 10, then the rest. Stops if more than 5% fail.');
  cleanup();
  expect(textOf({})).not.toContain('stages');
});

test('names no organization for a personal change, or before the user has chosen one', () => {
  expect(textOf({ personal: true })).toBe('Move the cranereversible');
  expect(textOf({}, 'write', { id: '', name: '' })).toBe('Move the cranereversible');
});

test.each(['read', 'navigate'] as const)('does not mention undo for a command that only reads: %s', (effect) => {
  expect([textOf({}, effect), textOf({ reversible: false }, effect)]).toEqual(['Move the crane', 'Move the crane']);
});

test("shows the organization's color only away from home", () => {
  const colored = (overrides: Partial<CurrentOrganization>) =>
    show({}, 'write', overrides).querySelector('[data-org-hue]')?.classList.contains('text-org');
  expect([colored({}), colored({ awayFromHome: true })]).toEqual([false, true]);
});

test('lists up to three different changes individually and counts the others', () => {
  const changes = ['1', '2', '3', '4', '5'].map((id) => heightChange(id, id, `${id}0`));
  expect(linesOf({ changes })).toEqual([
    'Crane 1 Height 1 → 10',
    'Crane 2 Height 2 → 20',
    'Crane 3 Height 3 → 30',
    'and 2 more',
  ]);
  expect(linesOf({ changes: changes.slice(0, 3) })).toHaveLength(3);
  expect(linesOf({ changes: changes.slice(0, 4) }).at(-1)).toBe('and 1 more');
  expect(show({}).querySelector('ul')).toBeNull();
});

test('groups similar changes and counts each group', () => {
  const changes = [
    ...['1', '2', '3'].map((id) => heightChange(id, '1', '2')),
    ...['4', '5'].map((id) => heightChange(id, '3', '2')),
  ];
  expect(linesOf({ changes })).toEqual(['Height 3 1 → 2 · 2 3 → 2']);
  expect(linesOf({ changes: changes.slice(0, 3) })).toEqual(['Height 1 → 2']);
});

test('shows at most six groups of a field and counts the items of the others', () => {
  const groups = Array.from({ length: 8 }, (_, index) => ({
    count: 1000 - index,
    change: heightChange(String(index), String(index), 'x'),
  }));
  const field = message('crane:height');
  const [line] = linesOf({ changeCounts: [{ field, count: 8, groups }] });
  expect(line).toContain('995 5 → x');
  expect(line).toMatch(/^Height 1,000 0 → x · 999 1 → x .* · and 1,987 more$/);
  const [completeLine] = linesOf({ changeCounts: [{ field, count: 6, groups: groups.slice(0, 6) }] });
  expect(completeLine).toMatch(/995 5 → x$/);
  expect(linesOf({ changeCounts: [{ field, count: 7, groups: groups.slice(0, 7) }] })[0]).toContain('and 994 more');
  const groupsWithRareOne = [...groups.slice(0, 6), { ...groups[6]!, count: 1 }];
  expect(linesOf({ changeCounts: [{ field, count: 7, groups: groupsWithRareOne }] })[0]).toMatch(
    /995 5 → x · and 1 more$/,
  );
  const fields = Array.from({ length: 8 }, (_, index) => ({
    field: message(`crane:field_${index}`),
    count: 1,
    groups: groups.slice(0, 1),
  }));
  expect(linesOf({ changeCounts: fields })).toHaveLength(6);
});

test("shows a plan's counted changes instead of its examples", () => {
  const countedChanges = [
    { field: message('crane:height'), count: 9, groups: [{ count: 9, change: heightChange('1', '1', '2') }] },
  ];
  expect(linesOf({ changeCounts: countedChanges, changes: [heightChange('7', '7', '8')] })).toEqual(['Height 1 → 2']);
});

test('shows a missing value as none, and translates a value', () => {
  const change: Change = { ...heightChange('1', '', ''), before: undefined, after: message('crane:tall') };
  expect(linesOf({ changes: [change] })).toEqual(['Crane 1 Height none → Tall']);
});

test('shows the values added to and removed from a list', () => {
  const list = (difference: Partial<Change>): readonly (string | null)[] =>
    linesOf({ changes: [{ id: '1', label: 'Crane 1', field: message('crane:tags'), ...difference }] });
  expect(list({ added: ['a', 'b'] })).toEqual(['Crane 1 Tags + a + b']);
  expect(list({ removed: ['c', message('crane:tall')] })).toEqual(['Crane 1 Tags − c − Tall']);
  expect(list({ added: ['a'], removed: ['c'] })).toEqual(['Crane 1 Tags + a − c']);
  const elements = (name: string) =>
    show({
      changes: [{ id: '1', label: 'Crane', field: message('crane:tags'), added: ['a'] }],
    }).querySelectorAll(name);
  expect([elements('ins').length, elements('del').length]).toEqual([1, 0]);
  cleanup();
  const removal: Partial<Change> = { removed: ['c'] };
  show({ changes: [{ id: '1', label: 'Crane', field: message('crane:tags'), ...removal }] });
  expect(document.querySelector('ins')).toBeNull();
});

test('updates with the plan, and with its groups of similar changes', () => {
  const command = { effect: 'write' } as Command;
  const view = (ids: readonly string[], after: string) => {
    const changes = ids.map((id) => heightChange(id, '1', after));
    return <PlanView preparedRun={{ command, plan: { ...base, changes } }} organization={organization} />;
  };
  const { container, rerender } = render(view(['1'], '2'));
  const lines = () => [...container.querySelectorAll('li')].map(({ textContent }) => textContent);
  rerender(view(['1'], '3'));
  expect(lines()).toEqual(['Crane 1 Height 1 → 3']);
  rerender(view(['1', '2', '3'], '4'));
  expect(lines()).toEqual(['Height 1 → 4']);
  rerender(view(['1', '2', '3'], '5'));
  expect(lines()).toEqual(['Height 1 → 5']);
});

test.each([1, 9])('capitalizes the names of the fields that change, for %i devices', async (count) => {
  const changesOf = (part: Omit<Change, 'id' | 'label'>) =>
    Array.from({ length: count }, (_, index) => ({ ...part, id: `${index}`, label: `Pump ${index}` }));
  const changes = [
    ...changesOf({ field: message('device:fields.lifecycle'), before: 'Installed', after: 'Paused' }),
    ...changesOf({ field: message('device:columns.tags'), added: ['Needs visit'] }),
  ];
  const plan = { ...(await simplePlan()), changes };
  render(<PlanView preparedRun={{ command: tune, plan }} organization={organization} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/^Pump 0 /, ''))).toEqual([
    'Lifecycle Installed → Paused',
    'Tags + Needs visit',
  ]);
});
