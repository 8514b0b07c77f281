import { useCallback, useState } from 'react';

import { parseValue, printValue } from '#commands/line/line.ts';
import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message, type Message } from '#commands/text/message.ts';
import { pastedList } from '#commands/text/quotes.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { useOnReconnect } from '#src/data/use-reconnects.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { TargetText, useReferenceText } from '#src/run/plan/TargetText.tsx';
import { findItems, itemRow, lineValues } from '#src/search/item-rows.ts';
import { findMatchingOptions } from '#src/search/options.ts';
import { holdKeys } from '#src/state/key-queue.ts';
import { Combobox, type ComboboxLabels } from '#src/ui/fields/Combobox.tsx';
import { useFieldWiring } from '#src/ui/fields/field-context.ts';
import type { ComboboxOption, LoadOptions } from '#src/ui/fields/use-async-options.ts';

import type { ControlProps } from './control.ts';
import { ParsedControl } from './typed-controls.tsx';

const LIMIT = 20;

function useComboboxLabels(): ComboboxLabels {
  const t = useText();
  const translate = useTranslate();
  return {
    loading: t('form.loading'),
    empty: t('form.empty'),
    failed: (error) => translate(lookupFailure(error)),
    remove: (label) => t('form.remove', { label }),
  };
}

/** Searches items for the typed text. An option's id is the item's text in a command line. */
function useItems(entity: AnyEntity, orCreate: boolean, context: Context): LoadOptions {
  const translate = useTranslate();
  const t = useText('running');
  return useCallback(
    async (query, signal) => {
      const typedText = query.trim();
      const items = await findItems(entity, typedText, LIMIT, { ...context, signal });
      const values = lineValues(entity, items);
      const options = items.map((item, index): ComboboxOption => {
        const { label, detail } = itemRow(entity, item, typedText, translate);
        return { id: values[index] ?? entity.id(item), label, ...(detail === undefined ? {} : { detail }) };
      });
      const exists = typedText === '' || options.some(({ label }) => label.toLowerCase() === typedText.toLowerCase());
      if (!orCreate || exists) return options;
      return [
        ...options,
        {
          id: typedText,
          label: typedText,
          detail: t('palette.create', { entity: entityLabels.one(entity), name: typedText }),
        },
      ];
    },
    [entity, orCreate, context, translate, t],
  );
}

/** Reloads once the server is reachable again. Otherwise, a failure would stay until the next keystroke. */
function useReload(load: LoadOptions): LoadOptions {
  const [reload, setReload] = useState({ source: load, load });
  useOnReconnect(() => setReload({ source: load, load: (query, signal) => load(query, signal) }));
  return reload.source === load ? reload.load : load;
}

const unfinishedProblem = (typedText: string | undefined): Message | undefined =>
  typedText === undefined ? undefined : message('console:form.notChosen', { typed: typedText });

const asOption = (value: string): ComboboxOption => ({ id: value, label: value });

export function RefControl({ param, value, invalidText, isVarious, onValue, context }: ControlProps<'ref'>) {
  const t = useText();
  const { 'aria-required': required } = useFieldWiring();
  const load = useItems(param.entity(), param.orCreate ?? false, context);
  const name = useReferenceText(param.entity(), value, context);
  return (
    <Combobox
      load={useReload(load)}
      selectedOptions={value === undefined ? [] : [{ id: value, label: name ?? value }]}
      onSelected={([option]) => onValue(option?.id)}
      onUnfinished={(unfinished) => onValue(value, unfinishedProblem(unfinished), unfinished)}
      initialText={invalidText}
      placeholder={t(isVarious ? 'form.various' : required ? 'form.choose' : 'form.optional')}
      labels={useComboboxLabels()}
      holdKeys={holdKeys}
    />
  );
}

export function RefsControl({ param, value = [], invalidText, isVarious, onValue, context }: ControlProps<'refs'>) {
  const load = useItems(param.entity(), param.orCreate ?? false, context);
  return (
    <MultipleCombobox
      param={param}
      load={load}
      value={value}
      none={param.noneText}
      invalidText={invalidText}
      isVarious={isVarious}
      onValue={onValue}
    />
  );
}

export function ChoicesControl({ param, value = [], invalidText, isVarious, onValue }: ControlProps<'choices'>) {
  const translate = useTranslate();
  const load: LoadOptions = useCallback(
    async (query) => {
      const options = param.options.map((value) => ({
        value,
        label: param.label ? translate(param.label(value)) : value,
      }));
      return findMatchingOptions(options, query).map(({ value: id, label }) => ({ id, label }));
    },
    [param, translate],
  );
  const label = useCallback(
    (option: string): string => (param.label ? translate(param.label(option)) : option),
    [param, translate],
  );
  return (
    <MultipleCombobox
      param={param}
      load={load}
      value={value}
      label={label}
      none={param.noneText}
      invalidText={invalidText}
      isVarious={isVarious}
      onValue={onValue}
    />
  );
}

/** A control for a list of words, which are suggested or, unless only suggested ones are valid, typed. */
export function WordsControl({ param, value = [], invalidText, isVarious, onValue, context }: ControlProps<'words'>) {
  const translate = useTranslate();
  const load: LoadOptions = useCallback(
    async (query, signal) => {
      const suggested = (await param.suggest?.({ ...context, signal }, query)) ?? [];
      const options = suggested.map(
        ({ value: id, label, message: labelMessage, detail }: Suggestion): ComboboxOption => ({
          id,
          label: labelMessage ? translate(labelMessage) : label,
          ...(detail ? { detail } : {}),
        }),
      );
      if (param.closed) {
        const byId = new Map(options.map((option) => [option.id, option]));
        const matches = findMatchingOptions(
          options.map(({ id, label }) => ({ value: id, label })),
          query,
        );
        return matches.flatMap(({ value: id }) => byId.get(id) ?? []);
      }
      const typedText = query.trim();
      return typedText === '' || options.some((option) => option.id === typedText)
        ? options
        : [...options, asOption(typedText)];
    },
    [param, context, translate],
  );
  return (
    <MultipleCombobox
      param={param}
      load={load}
      value={value}
      none={param.noneText}
      invalidText={invalidText}
      isTyped={param.suggest === undefined}
      isVarious={isVarious}
      onValue={onValue}
    />
  );
}

interface MultipleComboboxProps {
  readonly param: Param;
  readonly load: LoadOptions;
  readonly value: readonly string[];
  readonly label?: (value: string) => string;
  /** The meaning of an empty value. */
  readonly none: Message | undefined;
  readonly invalidText: string | undefined;
  readonly isVarious: boolean;
  /** True if the values are typed, because there is no list to choose from. */
  readonly isTyped?: boolean;
  readonly onValue: (value: readonly string[], problem?: Message, text?: string) => void;
}

/** Offers typed text with commas as a list, unless an option matches it as a whole. */
function useLists(param: Param, load: LoadOptions, label: (value: string) => string): LoadOptions {
  return useCallback(
    async (query, signal) => {
      const typedText = query.trim();
      const options = await load(query, signal);
      if (!typedText.includes(',') || options.some(({ id }) => id !== typedText)) return options;
      const parsed = parseValue(param, typedText);
      const values = 'value' in parsed ? (parsed.value as readonly string[]) : [];
      if (values.length < 2) return options;
      const list = values.map((value) => ({ id: value, label: label(value) }));
      return [{ id: typedText, label: list.map((option) => option.label).join(', '), list }];
    },
    [param, load, label],
  );
}

const unchanged = (text: string): string => text;

function MultipleCombobox({
  param,
  load,
  value,
  label = unchanged,
  none,
  invalidText,
  isVarious,
  isTyped = false,
  onValue,
}: MultipleComboboxProps) {
  const translate = useTranslate();
  const t = useText();
  const { 'aria-required': required } = useFieldWiring();
  const placeholder = (): string => {
    if (isVarious) return t('form.various');
    if (required) return t(isTyped ? 'form.enterSome' : 'form.chooseSome');
    return none ? translate(none) : t('form.optional');
  };
  return (
    <Combobox
      multiple
      onPasted={pastedList}
      load={useReload(useLists(param, load, label))}
      selectedOptions={value.map((name) => ({ id: name, label: label(name) }))}
      onSelected={(options) => onValue(options.map((option) => option.id))}
      onUnfinished={(unfinished) => onValue(value, unfinishedProblem(unfinished), unfinished)}
      initialText={invalidText}
      placeholder={placeholder()}
      labels={useComboboxLabels()}
      holdKeys={holdKeys}
    />
  );
}

/** Describes the target that the form opened with. If there was none, edits the target as text. */
export function ManyControl(props: ControlProps<'many'>) {
  const { value, param, context } = props;
  const [initialTarget] = useState(value);
  if (initialTarget === undefined) return <ParsedControl {...props} />;
  return (
    <p className="rounded-field bg-surface-2 px-2 py-1 text-ink-1">
      <TargetText
        entity={param.entity()}
        target={initialTarget}
        line={printValue(param, initialTarget)}
        context={context}
      />
    </p>
  );
}
