import { useImperativeHandle, useReducer, useRef, useState, type ComponentType, type ReactNode, type Ref } from 'react';

import type { ParsedFilter } from '#commands/query/parse.ts';
import { loadParser } from '#src/registry/filter-language.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import { holdKeys, type KeyHold } from '#src/state/key-queue.ts';
import { importOrThrow } from '#src/state/not-loaded.ts';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import { FilterField, FilterFrame } from './FilterFrame.tsx';

export interface FilterLineHandle {
  focus(): void;
}

interface FilterLineProps {
  /** The filter that the table shows. */
  readonly filter: ParsedFilter;
  /** Receives the canonical text of a valid filter whose names exist. */
  readonly onText: (text: string) => void;
  /** The number of matching rows, if known. */
  readonly total: number | undefined;
  /** True if the total still belongs to the previous filter. */
  readonly isStale?: boolean;
  /** Explains the total. */
  readonly totalNote?: ReactNode;
  readonly ref?: Ref<FilterLineHandle>;
}

/** Holds the text that is typed into the line before it has loaded. */
interface EarlyText {
  /** Called when the line gets the focus. */
  hold(): void;
  /** Called when the user leaves the line. */
  drop(): void;
  /** Moves the focus and the text to the loaded line, if the user is still in the line. */
  moveTo(field: HTMLInputElement | null): void;
}

function createEarlyText(): EarlyText {
  let keys: KeyHold | undefined;
  return {
    hold: () => {
      keys = holdKeys();
    },
    drop: () => {
      keys?.drop();
      keys = undefined;
    },
    moveTo: (field) => {
      if (!keys) return;
      field?.focus();
      keys.release();
      keys = undefined;
    },
  };
}

export interface LoadedLineProps extends FilterLineProps {
  readonly earlyText: EarlyText;
  /** Called when the user moves to the line before it has loaded. */
  readonly onEnter: () => void;
}

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
          onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        />
      }
      total={total}
      isStale={isStale}
      totalNote={totalNote}
    />
  );
}
