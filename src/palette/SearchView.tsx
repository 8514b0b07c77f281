import { useAtomValue } from 'jotai';
import { useMemo, useState, type KeyboardEvent } from 'react';

import type { Context } from '#commands/core/context';
import type { Invocation } from '#commands/core/invocation';
import { parseLine } from '#commands/core/line';
import type { Registry } from '#commands/core/registry';

import { useSay, useText } from '../i18n.ts';
import { useShownKeys } from '../keys/bindings.ts';
import { formatKeys } from '../keys/format.ts';
import { settingsAtom } from '../state/settings.ts';
import { Chip } from '../ui/Chip.tsx';
import { commandSource } from './command-rows.ts';
import { Footer } from './Footer.tsx';
import { learn } from './habits.ts';
import { searchable } from './item-rows.ts';
import { PaletteField } from './PaletteField.tsx';
import { scopeOf } from './prefixes.ts';
import { fromCommands, fromItems, helpGroup, lineGroup, type SearchRow } from './search-rows.ts';
import { useActiveRow } from './use-active-row.ts';
import { useItems } from './use-items.ts';

interface SearchViewProps {
  readonly registry: Registry;
  readonly context: Context;
  readonly initial: string;
  /** Begins with only what fits the selection. */
  readonly fitting: boolean;
  /** Runs it, or asks for what is missing. */
  readonly onInvocation: (invocation: Invocation) => void;
  /** Shows it filled in, whatever it lacks. */
  readonly onFill: (invocation: Invocation) => void;
  readonly onForm: (invocation: Invocation) => void;
}

/** Finds commands, items and help, and reads whole lines. */
export function SearchView({ registry, context, initial, fitting, onInvocation, onFill, onForm }: SearchViewProps) {
  const say = useSay();
  const text = useText();
  const keys = useShownKeys();
  const { language } = useAtomValue(settingsAtom);
  const [typed, setTyped] = useState(initial);
  const [narrowed, setNarrowed] = useState(fitting);
  const scope = scopeOf(typed);
  const { query } = scope;

  const source = useMemo(
    () => commandSource({ registry, context, language, say, text, keys }),
    [registry, context, language, say, text, keys],
  );
  const names = scope.entities?.join();
  const entities = useMemo(
    () => (narrowed ? [] : searchable(registry, context).filter((of) => names === undefined || names === of.name)),
    [registry, context, narrowed, names],
  );
  // Everything is listed for nothing typed where one kind was asked for; a search of all kinds needs a word.
  const items = useItems(entities, query === '' && names === undefined ? undefined : query, context, say);

  const found = useMemo(
    () => (scope.commands ? source(query, narrowed) : []),
    [source, scope.commands, query, narrowed],
  );

  const groups = [
    lineGroup(typed, registry, say, text),
    ...found.map(fromCommands),
    ...items.groups.map((group) => fromItems(group, registry)),
    ...(scope.help ? [helpGroup(text)] : []),
  ];
  const rows = useActiveRow(groups);

  const type = (next: string): void => {
    setTyped(next);
    rows.setActive(undefined);
  };

  const take = ({ reason, prefix, invocation, item }: SearchRow): void => {
    if (reason !== undefined) return;
    if (prefix !== undefined) type(prefix);
    if (item) learn(context, item.entity, item.id);
    if (invocation) onInvocation(invocation);
  };

  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'Tab') {
      event.preventDefault();
      const invocation = rows.active?.reason === undefined ? rows.active?.invocation : undefined;
      const hasParams = Object.keys(registry.command(invocation?.id ?? '')?.params ?? {}).length > 0;
      if (invocation && hasParams) onForm(invocation);
      return true;
    }
    const widens = event.key === 'Backspace' && typed === '' && narrowed;
    if (widens) setNarrowed(false);
    return widens;
  };

  /** A pasted line fills the chips at once. */
  const onPaste = (pasted: string): boolean => {
    const { invocation, words } = parseLine(pasted.trim(), registry);
    if (!invocation || typed !== '' || words.length < 2) return false;
    onFill(invocation);
    return true;
  };

  return (
    <>
      <PaletteField
        {...rows}
        label={text('palette.search')}
        listLabel={text('palette.results')}
        placeholder={text('palette.placeholder')}
        chips={
          context.focus?.name && (
            <Chip tone={narrowed ? 'accent' : 'strong'} mono>{`→ ${say(context.focus.name)}`}</Chip>
          )
        }
        text={typed}
        onText={type}
        groups={groups}
        onTake={take}
        onKey={onKey}
        onPaste={onPaste}
        status={items.loading ? text('palette.searching') : rows.active ? '' : text('palette.nothing')}
      />
      <Footer
        hints={[
          { keys: formatKeys('Enter'), label: text('palette.hint.take') },
          { keys: formatKeys('Tab'), label: text('palette.hint.form') },
          { keys: formatKeys('Escape'), label: text('palette.hint.close') },
          { keys: '?', label: text('palette.hint.help') },
        ]}
      />
    </>
  );
}
