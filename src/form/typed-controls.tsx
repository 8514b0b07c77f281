import { useState } from 'react';

import { parseValue, parseValues, printValue } from '#commands/line/line.ts';
import type { Kind } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import { checkValue } from '#commands/run/values.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { Checkbox } from '#src/ui/fields/Checkbox.tsx';
import { Select } from '#src/ui/fields/Select.tsx';
import { TextArea } from '#src/ui/fields/TextArea.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';

import type { ControlProps } from './control.ts';

/** Returns 'Various' if items differ and nothing was entered yet, or else the param's own placeholder. */
function usePlaceholder({ isVarious }: Pick<ControlProps, 'isVarious'>, ownPlaceholder?: string): string | undefined {
  const t = useText();
  return isVarious ? t('form.various') : ownPlaceholder;
}

/** Passes the text on unchanged, even if it is empty, which can clear the value. */
export function TextControl(props: ControlProps<'text'>) {
  const { param, value = '', onValue } = props;
  const placeholder = usePlaceholder(props, param.placeholder);
  const shared = { value, placeholder, mono: param.mono ?? false, onText: (next: string) => onValue(next) };
  return param.multiline ? <TextArea {...shared} /> : <TextInput {...shared} />;
}

export function SecretControl(props: ControlProps<'secret'>) {
  const placeholder = usePlaceholder(props);
  return (
    <TextInput
      type="password"
      autoComplete="new-password"
      mono
      value={props.value ?? ''}
      placeholder={placeholder}
      onText={(next) => props.onValue(next)}
    />
  );
}

/**
 * Manages the text of a value whose kind has its own format (`15m`, `-10h..now`, `12.5`). Parses the text on every
 * change, and keeps it as typed if it is invalid.
 */
export function useTypedText<K extends Kind>(props: ControlProps<K>) {
  const { value, onValue } = props;
  const param = props.param as unknown as Param;
  const placeholder = usePlaceholder(props);
  const [typed, setTyped] = useState(props.invalidText ?? (value === undefined ? '' : printValue(param, value)));
  const type = (next: string): void => {
    setTyped(next);
    if (next.trim() === '') return onValue(undefined);
    const parsed = parseValue(param, next);
    return 'value' in parsed ? onValue(parsed.value) : onValue(undefined, parsed.problem, next);
  };
  return { typed, type, placeholder };
}

export function ParsedControl<K extends Kind>(props: ControlProps<K>) {
  const { typed, type, placeholder } = useTypedText(props);
  return <TextInput mono value={typed} placeholder={placeholder} onText={type} />;
}

/** A control for pairs of a name and a value, one per line, such as `X-Site=north`. */
export function PairsControl(props: ControlProps<'pairs'>) {
  const { value, onValue } = props;
  const param = props.param as unknown as Param;
  const placeholder = usePlaceholder(props, 'Name=value');
  const [typed, setTyped] = useState(
    () =>
      props.invalidText ??
      Object.entries(value ?? {})
        .map(([name, text]) => `${name}=${text}`)
        .join('\n'),
  );
  return (
    <TextArea
      mono
      value={typed}
      placeholder={placeholder}
      onText={(next) => {
        setTyped(next);
        const lines = next.split('\n').filter((line) => line.trim() !== '');
        const parsed = parseValues(param, lines);
        return 'value' in parsed ? onValue(parsed.value) : onValue(undefined, parsed.problem, next);
      }}
    />
  );
}

/** Shows a checkbox if a missing value means no, or three choices if a missing value keeps the current one. */
export function FlagControl({ param, value, isVarious, onValue }: ControlProps<'flag'>) {
  const t = useText();
  if (param.fallback !== undefined) {
    return (
      <Checkbox checked={isVarious && value === undefined ? 'mixed' : (value ?? param.fallback)} onChecked={onValue} />
    );
  }
  const options = [
    { value: 'keep', label: isVarious ? t('form.various') : t('form.keep') },
    { value: 'on', label: t('form.on') },
    { value: 'off', label: t('form.off') },
  ] as const;
  const choice = value === undefined ? 'keep' : value ? 'on' : 'off';
  return (
    <Select value={choice} options={options} onValue={(next) => onValue(next === 'keep' ? undefined : next === 'on')} />
  );
}

export function ChoiceControl({ param, value, invalidText, isVarious, onValue, context }: ControlProps<'choice'>) {
  const translate = useTranslate();
  // Excludes options that would be refused, except the current value.
  const allowed = param.options.filter((option) => option === value || !checkValue(param, option, context));
  const t = useText();
  return (
    <Select
      value={value}
      placeholder={invalidText ?? t(isVarious ? 'form.various' : param.required ? 'form.choose' : 'form.optional')}
      options={allowed.map((option) => ({
        value: option,
        label: param.label ? translate(param.label(option)) : option,
      }))}
      onValue={(next) => onValue(next)}
    />
  );
}
