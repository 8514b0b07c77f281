import { useState } from 'react';

import { toHex } from '#commands/nouns/data/parser/simple-fields.ts';
import { isSize } from '#commands/nouns/data/parser/simple-problems.ts';
import {
  type SimpleModemMessageBodyParser_DelimitedSize as DelimitedSize,
  SimpleModemMessageBodyParser_Endian as Endian,
} from '#proto/gen/hiber/parser_pb.ts';
import { useText } from '#src/i18n/i18n.ts';
import { Select } from '#src/ui/fields/Select.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';

export const CELL = 'h-6 px-1.5';
const SELECT = '[&_select]:h-6 [&_select]:py-0 [&_select]:pl-1.5 [&_select]:pr-5 [&_svg]:right-1';

interface CellSelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly disabled: boolean;
  readonly onValue: (value: Value) => void;
  readonly column?: string;
  readonly className?: string;
}

export function CellSelect<Value extends string>({ label, column, className = '', ...rest }: CellSelectProps<Value>) {
  return (
    <Select
      aria-label={label}
      placeholder=""
      data-column={column}
      className={`min-w-0 ${SELECT} ${className}`}
      {...rest}
    />
  );
}

const ENDIAN_KEYS = {
  [Endian.DEFAULT]: 'builder.default',
  [Endian.LITTLE_ENDIAN]: 'endian.LITTLE_ENDIAN',
  [Endian.BIG_ENDIAN]: 'endian.BIG_ENDIAN',
} as const;

interface EndianSelectProps {
  readonly value: Endian;
  /** Absent if there is no byte order to inherit. */
  readonly inherited?: boolean;
  readonly disabled: boolean;
  readonly onValue: (value: Endian) => void;
}

/** Chooses a byte order. */
export function EndianSelect({ value, inherited = false, disabled, onValue }: EndianSelectProps) {
  const t = useText('parser');
  const values = [...(inherited ? [Endian.DEFAULT] : []), Endian.BIG_ENDIAN, Endian.LITTLE_ENDIAN];
  // The server defaults to big-endian.
  const current = value === Endian.DEFAULT && !inherited ? Endian.BIG_ENDIAN : value;
  return (
    <CellSelect
      label={t('labels.endian')}
      value={`${current}`}
      options={values.map((endian) => ({ value: `${endian}`, label: t(ENDIAN_KEYS[endian]) }))}
      disabled={disabled}
      onValue={(text) => onValue(Number(text) as Endian)}
    />
  );
}

interface TypedInputProps<Value> {
  readonly label: string;
  readonly value: Value;
  /** The value of a text that is no value. Its format is no text that can be typed. */
  readonly invalid: Value;
  readonly format: (value: Value) => string;
  /** Reads a text. Undefined if it is no value. */
  readonly read: (text: string) => Value | undefined;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric';
  readonly disabled: boolean;
  readonly onValue: (value: Value) => void;
  readonly className?: string;
}

/** A value as text. Keeps what is typed, and reports a value that is a problem until it is complete. */
function TypedInput<Value>({ label, value, invalid, format, read, onValue, ...rest }: TypedInputProps<Value>) {
  const { className = '', ...control } = rest;
  const [typed, setTyped] = useState<string>();
  const typedValue = typed === undefined ? undefined : read(typed);
  const isInvalid = format(value) === format(invalid);
  // Another field may be here since, or another value.
  const isCurrent = typed !== undefined && format(typedValue ?? invalid) === format(value);
  const isComplete = isCurrent ? typedValue !== undefined : !isInvalid;
  const onText = (next: string): void => {
    setTyped(next);
    onValue(read(next) ?? invalid);
  };
  return (
    <TextInput
      mono
      aria-label={label}
      aria-invalid={!isComplete}
      value={isCurrent ? typed : isInvalid ? '' : format(value)}
      onText={onText}
      onBlur={() => isComplete && setTyped(undefined)}
      className={`${CELL} ${className}`}
      {...control}
    />
  );
}

interface HexInputProps extends Omit<TypedInputProps<Uint8Array>, 'format' | 'read'> {
  readonly maxBytes?: number;
}

/** Reads hex digits. Undefined if they are no whole bytes, or too many. */
function readHex(text: string, maxBytes: number): Uint8Array | undefined {
  const digits = text.replaceAll(/[\s,:]/g, '');
  if (!/^([0-9a-f]{2})*$/i.test(digits) || digits.length > 2 * maxBytes) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const formatHex = (bytes: Uint8Array): string => toHex(bytes).toUpperCase();

/** Bytes as hex. */
export function HexInput({ maxBytes = 256, ...props }: HexInputProps) {
  return <TypedInput format={formatHex} read={(text) => readHex(text, maxBytes)} {...props} />;
}

/** The size of a text that is no size. */
const NO_SIZE = -1;

function readSize(text: string): number | undefined {
  const size = /^\s*\d+\s*$/.test(text) ? Number(text) : NO_SIZE;
  return isSize(size) ? size : undefined;
}

/** Too long, so it is a problem. No bytes would mean that no byte ends the field. */
const NO_TERMINATOR = new Uint8Array(2);

type SizeCase = 'sizeBytes' | 'endOfStream' | 'none' | `field:${string}`;

function caseOf(delimited: DelimitedSize): SizeCase {
  const { size } = delimited;
  return size.case === 'fieldName' ? `field:${size.value}` : (size.case ?? 'none');
}

function sizeFor(choice: SizeCase, { size }: DelimitedSize): DelimitedSize['size'] {
  if (choice === 'sizeBytes') return { case: 'sizeBytes', value: size.case === 'sizeBytes' ? size.value : 4 };
  if (choice === 'endOfStream') return { case: 'endOfStream', value: true };
  return choice === 'none' ? { case: undefined } : { case: 'fieldName', value: choice.slice('field:'.length) };
}

interface SizeControlsProps {
  readonly value: DelimitedSize;
  /** The fields that can hold the size. */
  readonly integers: readonly string[];
  readonly disabled: boolean;
  readonly onValue: (value: DelimitedSize) => void;
}

/** How many bytes a field has, and the byte that ends it. */
export function SizeControls({ value, integers, disabled, onValue }: SizeControlsProps) {
  const t = useText('parser');
  const { size } = value;
  const unknown = size.case === 'fieldName' && !integers.includes(size.value) ? [size.value] : [];
  const choices: readonly SizeCase[] = [
    'sizeBytes',
    'endOfStream',
    'none',
    ...[...integers, ...unknown].map((name) => `field:${name}` as const),
  ];
  const nameOf = (choice: SizeCase): string =>
    choice.startsWith('field:')
      ? t('builder.size.field', { name: choice.slice('field:'.length) })
      : t(`builder.size.${choice}`);
  return (
    <>
      <CellSelect
        label={t('builder.size.label')}
        value={caseOf(value)}
        options={choices.map((choice) => ({ value: choice, label: nameOf(choice) }))}
        disabled={disabled}
        onValue={(choice) => onValue({ ...value, size: sizeFor(choice, value) })}
        className="grow basis-24"
      />
      {size.case === 'sizeBytes' && (
        <span className="w-14">
          <TypedInput
            inputMode="numeric"
            label={t('builder.size.bytes')}
            format={String}
            read={readSize}
            invalid={NO_SIZE}
            value={size.value}
            disabled={disabled}
            onValue={(bytes) => onValue({ ...value, size: { case: 'sizeBytes', value: bytes } })}
            className="text-right"
          />
        </span>
      )}
      <span className="w-14">
        <HexInput
          label={t('builder.terminator')}
          placeholder={t('builder.terminatorHint')}
          maxBytes={1}
          invalid={NO_TERMINATOR}
          value={value.terminator}
          disabled={disabled}
          onValue={(terminator) => onValue({ ...value, terminator })}
        />
      </span>
    </>
  );
}
