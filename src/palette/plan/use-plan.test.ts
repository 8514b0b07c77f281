import { act, renderHook, waitFor } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { announceChange } from '#src/data/changes.ts';

import { usePlanState } from './use-plan-state.ts';
import { usePlan } from './use-plan.ts';

const context = testContext();
const onRun = vi.fn<() => void>();
const plan = vi.fn<() => void>();
const doNothing = (): void => undefined;

/** Changes one item and is reversible, so it runs without confirmation. */
const paint: Command = command({
  id: 'gadget.paint',
  effect: 'write',
  params: { color: required(p.text()) },
  plan: async () => {
    plan();
    return { summary: message('gadget:paint'), count: 1, changes: [], reversible: true };
  },
  run: async () => ({}),
});

function highlight(color: string) {
  return renderHook(
    (args: { color: string }) =>
      usePlan({
        command: paint,
        args,
        isAccepted: false,
        context,
        initialRun: undefined,
        outline: undefined,
        onRun,
        onPlan: doNothing,
      }),
    { initialProps: { color } },
  );
}

beforeEach(() => {
  onRun.mockClear();
  plan.mockReset();
});

test('runs a plan that becomes ready after Enter', async () => {
  const { result } = highlight('red');
  act(() => result.current.submit({ color: 'red' }));
  await waitFor(() => expect(onRun).toHaveBeenCalledOnce());
});

test('cancels a pending Enter when the arguments change', async () => {
  const { result, rerender } = highlight('red');
  act(() => result.current.submit({ color: 'red' }));
  rerender({ color: 'blue' });
  rerender({ color: 'red' });
  await waitFor(() => expect(result.current.planState.status).toBe('ready'));
  expect(onRun).not.toHaveBeenCalled();
});

test('retries a failed plan on Enter', async () => {
  plan.mockImplementationOnce(() => {
    throw new CommandError(message('gadget:noPaint'));
  });
  const { result } = highlight('red');
  await waitFor(() => expect(result.current.planState.status).toBe('failed'));
  act(() => result.current.submit({ color: 'red' }));
  await waitFor(() => expect(onRun).toHaveBeenCalledOnce());
});

test('hands over the plan of accepted arguments before a key can run it', async () => {
  const order: string[] = [];
  const { result } = renderHook(() => {
    const state = usePlan({
      command: paint,
      args: { color: 'red' },
      isAccepted: true,
      context,
      initialRun: undefined,
      outline: undefined,
      onRun,
      onPlan: (preparedRun) => preparedRun && order.push('handed over'),
    });
    const { status } = state.planState;
    useLayoutEffect(() => void (status === 'ready' && order.push('runs on Enter')), [status]);
    return state;
  });
  await waitFor(() => expect(result.current.planState.status).toBe('ready'));
  expect(order.slice(0, 2)).toEqual(['handed over', 'runs on Enter']);
});

describe('a plan with an outline', () => {
  const groups = (count: number) => [
    { count, change: { id: '', label: '', field: message('gadget:color'), before: undefined, after: 'red' } },
  ];
  const outline = (count: number): Plan => ({
    summary: message('gadget:paint'),
    count,
    changes: [],
    changeCounts: [{ field: message('gadget:color'), count, groups: groups(count) }],
    reversible: true,
  });
  const commandForMany = (overrides: Partial<Plan>): Command => ({
    ...paint,
    plan: async () => ({
      ...outline(3),
      changeCounts: undefined,
      changes: ['a', 'b', 'c'].map((id) => ({ ...groups(1)[0]!.change, id, label: id })),
      ...overrides,
    }),
  });
  const enterOn = async (command: Command, visibleOutline: Plan) => {
    const args = { color: 'red' };
    const { result } = renderHook(() =>
      usePlan({
        command,
        args,
        isAccepted: true,
        context,
        initialRun: undefined,
        outline: visibleOutline,
        onRun,
        onPlan: doNothing,
      }),
    );
    act(() => result.current.submit(args));
    await waitFor(() => expect(result.current.planState.status).toBe('ready'));
    await act(async () => undefined);
    return onRun.mock.calls.length;
  };

  test('runs on Enter if it matches the outline', async () => {
    expect(await enterOn(commandForMany({}), outline(3))).toBe(1);
  });

  test("doesn't run on Enter if it differs from the outline or is irreversible", async () => {
    expect(await enterOn(commandForMany({}), outline(4))).toBe(0);
    expect(await enterOn(commandForMany({ reversible: false }), outline(3))).toBe(0);
    expect(await enterOn(commandForMany({ confirm: '3' }), outline(3))).toBe(0);
  });
});

describe('a visible plan', () => {
  /** The gadgets' current values. */
  const colors = new Map<string, string>();
  const repaint: Command = command({
    id: 'gadget.repaint',
    on: () => gadget as unknown as AnyEntity,
    effect: 'write',
    params: { color: required(p.text()) },
    plan: async () => {
      plan();
      const changes = [...colors].map(([id, before]) => ({ id, label: id, field: message('gadget:color'), before }));
      return { summary: message('gadget:paint'), count: colors.size, changes, reversible: true };
    },
    run: async () => ({}),
  });
  const announce = (ids: readonly string[]): void => announceChange('northwind', ['gadget'], ids);

  async function show(): Promise<() => string | undefined> {
    const { result } = renderHook(() => usePlanState(repaint, { color: 'red' }, context, undefined, 0));
    await waitFor(() => expect(result.current.status).toBe('ready'));
    return () => {
      const { current: state } = result;
      return state.status === 'ready' ? (state.preparedRun.plan?.changes[0]?.before as string) : undefined;
    };
  }

  beforeEach(() => {
    colors.clear();
    colors.set('AAAA BBBB', 'blue');
  });

  test('follows the changes of its items, but not of others', async () => {
    const before = await show();
    expect(before()).toBe('blue');
    colors.set('AAAA BBBB', 'green');
    act(() => announce(['CCCC DDDD']));
    expect(plan).toHaveBeenCalledOnce();
    act(() => announce(['AAAA BBBB']));
    await waitFor(() => expect(before()).toBe('green'));
  });

  test('is not made again for many items', async () => {
    for (let number = 0; number <= 100; number++) colors.set(`${number}`, 'blue');
    await show();
    act(() => announce(['AAAA BBBB']));
    expect(plan).toHaveBeenCalledOnce();
  });
});
