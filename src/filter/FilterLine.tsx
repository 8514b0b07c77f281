import { useImperativeHandle, useReducer, useRef, useState, type ComponentType } from 'react';

import { loadParser } from '#src/registry/filter-language.ts';
import { hasModifier, replay, replayPaste } from '#src/run/replay.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import { runOrEnqueue } from '#src/state/key-queue.ts';
import { importOrThrow } from '#src/state/not-loaded.ts';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import { createEarlyText } from './early-text.ts';
import { FilterField, FilterFrame } from './FilterFrame.tsx';
import type { FilterLineProps, LoadedLineProps } from './line-props.ts';

let loadedLine: ComponentType<LoadedLineProps> | undefined;

/**
 * Loads the line with the filter language. The guard waits for both before it shows a filter.
 *
 * @throws NotLoadedError
 */
export async function loadFilterLine(): Promise<ComponentType<LoadedLineProps>> {
  const [module] = await Promise.all([importOrThrow(import('./OpenFilterLine.tsx')), loadParser()]);
  loadedLine = module.OpenFilterLine;
  return loadedLine;
}

export const isFilterLineLoaded = (): boolean => loadedLine !== undefined;

/** Loads after the first screen, or when the user moves to the line, which ends the first screen. */
const LoadedLine = lazyPart<LoadedLineProps>(
  async () => {
    await firstScreen;
    return loadFilterLine();
  },
  { Pending: EmptyLine, loaded: () => loadedLine },
);

/** The filter as text that can be edited. */
export function FilterLine(props: FilterLineProps) {
  const [earlyText] = useState(createEarlyText);
  const [, showLoadedLine] = useReducer((count: number) => count + 1, 0);
  const enter = (): void => {
    earlyText.hold();
    // Loads it again if it could not be loaded before. If it still cannot, keys work as in any field.
    loadFilterLine().then(showLoadedLine, earlyText.drop);
  };
  return <LoadedLine {...props} earlyText={earlyText} onEnter={enter} />;
}

/**
 * Stands in for the line while it loads. There is no filter yet, because the guard waits for the line otherwise. Text
 * typed meanwhile is held for the line.
 */
function EmptyLine({ filter: { entity }, total, isStale, totalNote, ref, earlyText, onEnter }: LoadedLineProps) {
  const field = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }), []);
  return (
    <FilterFrame
      entity={entity}
      field={field}
      terms={
        <FilterField
          ref={field}
          entity={entity}
          readOnly
          value=""
          onFocus={onEnter}
          onBlur={earlyText.drop}
          onPaste={({ clipboardData }) => {
            const text = clipboardData.getData('text/plain');
            if (text === '') return;
            onEnter();
            runOrEnqueue(() => replayPaste(text));
          }}
          onKeyDown={({ key, nativeEvent, currentTarget }) => {
            if (key === 'Escape') return currentTarget.blur();
            if ([...key].length !== 1 || hasModifier(nativeEvent)) return;
            // Text that is not held, because the line could not be loaded before. It is for the next attempt.
            onEnter();
            runOrEnqueue(() => replay(nativeEvent));
          }}
        />
      }
      total={total}
      isStale={isStale}
      totalNote={totalNote}
    />
  );
}
