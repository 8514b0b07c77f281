import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import { testContext } from '#commands/testkit/context.ts';

import { usePlanned } from './use-planned.ts';

const context = testContext();
const onRun = vi.fn<() => void>();
const plan = vi.fn<() => void>();
const nothing = (): void => undefined;

/** One item, reversible: it needs no look before it runs. */
const paint: Command = command({
  id: 'gadget.paint',
  effect: 'write',
  params: { colour: required(p.text()) },
  plan: async () => {
    plan();
    return { summary: message('gadget:paint'), count: 1, changes: [], reversible: true };
  },
  run: async () => ({}),
});

function pointAt(colour: string) {
  return renderHook(
    (args: { colour: string }) =>
      usePlanned({
        command: paint,
        args,
        accepted: false,
        context,
        first: undefined,
        outline: undefined,
        onRun,
        onPrepared: nothing,
      }),
    { initialProps: { colour } },
  );
}

beforeEach(() => {
  onRun.mockClear();
  plan.mockReset();
});

it('Enter before there is a plan waits for it', async () => {
  const { result } = pointAt('red');
  act(() => result.current.submit({ colour: 'red' }));
  await waitFor(() => expect(onRun).toHaveBeenCalledOnce());
});

it('an Enter that waited is no Enter when the same is pointed at again', async () => {
  const { result, rerender } = pointAt('red');
  act(() => result.current.submit({ colour: 'red' }));
  rerender({ colour: 'blue' });
  rerender({ colour: 'red' });
  await waitFor(() => expect(result.current.planned.status).toBe('ready'));
  expect(onRun).not.toHaveBeenCalled();
});

it('Enter tries a plan that could not be made again', async () => {
  plan.mockImplementationOnce(() => {
    throw new CommandError(message('gadget:noPaint'));
  });
  const { result } = pointAt('red');
  await waitFor(() => expect(result.current.planned.status).toBe('failed'));
  act(() => result.current.submit({ colour: 'red' }));
  await waitFor(() => expect(onRun).toHaveBeenCalledOnce());
});

describe('an outline on the screen', () => {
  const groups = (count: number) => [
    { count, change: { id: '', label: '', field: message('gadget:colour'), before: undefined, after: 'red' } },
  ];
  const outline = (count: number): Plan => ({
    summary: message('gadget:paint'),
    count,
    changes: [],
    counted: [{ field: message('gadget:colour'), count, groups: groups(count) }],
    reversible: true,
  });
  const many = (more: Partial<Plan>): Command => ({
    ...paint,
    plan: async () => ({
      ...outline(3),
      counted: undefined,
      changes: ['a', 'b', 'c'].map((id) => ({ ...groups(1)[0]!.change, id, label: id })),
      ...more,
    }),
  });
  const enterOn = async (command: Command, shown: Plan) => {
    const args = { colour: 'red' };
    const { result } = renderHook(() =>
      usePlanned({
        command,
        args,
        accepted: true,
        context,
        first: undefined,
        outline: shown,
        onRun,
        onPrepared: nothing,
      }),
    );
    act(() => result.current.submit(args));
    await waitFor(() => expect(result.current.planned.status).toBe('ready'));
    await act(async () => undefined);
    return onRun.mock.calls.length;
  };

  it('is run by Enter once its plan says the same', async () => {
    expect(await enterOn(many({}), outline(3))).toBe(1);
  });

  it('is shown again where its plan says something else, or has no way back', async () => {
    expect(await enterOn(many({}), outline(4))).toBe(0);
    expect(await enterOn(many({ reversible: false }), outline(3))).toBe(0);
    expect(await enterOn(many({ confirm: '3' }), outline(3))).toBe(0);
  });
});
