import { expect, test } from 'vitest';

import { gadgets } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { resultJson, jsonText, listingJson, planJson } from './json.ts';
import { gadgetRegistry, translateKey } from './testkit/plain.ts';
import { sampleChange as change, samplePlan as plan } from './testkit/plan.ts';

test('escapes control and bidirectional characters and still parses to the same value', () => {
  const value = { answer: '\u001b[31m \u007f \u009b31m \u202eabc\u2066 ü 日本 😀' };
  const text = jsonText(value);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u001b\u007f-\u009f\p{Bidi_Control}]/u);
  expect(text).toContain('ü 日本 😀');
  expect(JSON.parse(text)).toEqual(value);
});

test('prints 64-bit numbers as strings', () => {
  expect(jsonText({ a: 12n, b: 1 })).toBe('{\n  "a": "12",\n  "b": 1\n}\n');
});

test('prints a list with its total, and the items of an unknown entity unchanged', () => {
  expect(listingJson({ entity: 'gadget', items: gadgets, total: 3 }, gadgetRegistry)).toEqual({
    total: 3,
    items: gadgets,
  });
  expect(listingJson({ entity: 'gizmo', items: [1], total: 1 }, gadgetRegistry)).toEqual({ total: 1, items: [1] });
});

test('prints a plan with translated messages', () => {
  expect(planJson(plan, translateKey, 'acme')).toEqual({
    organization: 'acme',
    summary: 'x:sum',
    count: 1,
    reversible: true,
    changes: [{ ...change, field: 'core:fieldLabel field=x:field' }],
    notes: ['x:n'],
  });
  const translatableChange = { ...change, before: message('x:was'), added: undefined };
  expect(planJson({ ...plan, changes: [translatableChange] }, translateKey, 'acme')).toMatchObject({
    changes: [{ before: 'x:was', after: 'on' }],
  });
  const list = { id: 'a', label: 'North', field: message('x:field'), added: [message('x:new')] };
  expect(planJson({ ...plan, changes: [list] }, translateKey, 'acme')).toMatchObject({
    changes: [{ id: 'a', added: ['x:new'], removed: [] }],
  });
  expect(planJson({ ...plan, staged: true }, translateKey, 'acme')).toMatchObject({
    stages: 'common:plan.staged first=1 second=10 percent=5',
  });
  const { notes: _, ...planWithoutNotes } = plan;
  expect(planJson(planWithoutNotes, translateKey, 'acme')).toMatchObject({ notes: [] });
});

test('prints a result with its undo commands, and only the command if there is nothing else', () => {
  const invocation = { id: 'gadget.reset', args: {} };
  const outcome = {
    message: message('x:done'),
    data: 0,
    results: [
      { id: 'a', label: 'A', skipped: true },
      { id: 'b', label: 'B', skipped: false },
    ],
    reveal: { label: message('x:code'), value: '1' },
  };
  const completedRun = { invocation, outcome, inverse: [invocation], organization: 'acme' };
  expect(resultJson(completedRun, gadgetRegistry, translateKey)).toEqual({
    organization: 'acme',
    command: 'gadget reset',
    message: 'x:done',
    results: [
      { id: 'a', label: 'A', skipped: true },
      { id: 'b', label: 'B' },
    ],
    reveal: { label: 'x:code', value: '1' },
    data: 0,
    undo: ['gadget reset'],
  });
  expect(resultJson({ ...completedRun, stopped: true }, gadgetRegistry, translateKey)).toMatchObject({ stopped: true });
  expect(resultJson({ ...completedRun, outcome: {}, inverse: undefined }, gadgetRegistry, translateKey)).toEqual({
    organization: 'acme',
    command: 'gadget reset',
  });
});
