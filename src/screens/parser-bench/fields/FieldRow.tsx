import { create } from '@bufbuild/protobuf';
import type { CSSProperties, ReactNode } from 'react';

import type { SimpleProblem } from '#commands/nouns/data/parser/simple-problems.ts';
import {
  type SimpleModemMessageBodyParser_Field as SimpleField,
  SimpleModemMessageBodyParser_DelimitedSizeSchema as DelimitedSizeSchema,
} from '#proto/gen/hiber/parser_pb.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { TextInput } from '#src/ui/fields/TextInput.tsx';

import { CELL, CellSelect, EndianSelect, HexInput, SizeControls } from './controls.tsx';
import { codeOf, customCode, NUMBER_CODES, OTHER_CODES, withCode } from './model.ts';

/** No bytes can't be fixed bytes, so they are a problem. */
const NO_BYTES = new Uint8Array();

export const FIELD_COLUMNS = 'grid grid-cols-[4px_minmax(72px,1fr)_138px_108px] items-center gap-x-1.5';

interface FieldRowProps {
  readonly partKey: string;
  readonly number: number;
  readonly field: SimpleField;
  readonly types: readonly string[];
  readonly integers: readonly string[];
  readonly readOnly: boolean;
  readonly isActive: boolean;
  readonly isChanged: boolean;
  /** True if the user is at the field. */
  readonly isCurrent: boolean;
  readonly showsNote: boolean;
  /** The number of its color. Undefined if no byte of the message was read for it. */
  readonly color: number | undefined;
  readonly problem: SimpleProblem | undefined;
  readonly onField: (field: SimpleField) => void;
}

/** A field in the form: its name, its type, and what its type needs. */
export function FieldRow(props: FieldRowProps) {
  const { partKey, number, field, types, readOnly, isActive, isChanged, isCurrent, color, onField } = props;
  // A new field has no name yet.
  const problem = isCurrent && field.name === '' ? undefined : props.problem;
  const t = useText('parser');
  const translate = useTranslate();
  const { type } = field;
  const problemId = `bench-problem-${partKey}`;
  const code = codeOf(field);
  const customTypes = type.case === 'customType' && !types.includes(type.value) ? [...types, type.value] : types;
  const options = [
    ...[...NUMBER_CODES, ...OTHER_CODES].map((value) => ({
      value: value as string,
      label: t(`builder.type.${value}`),
    })),
    ...customTypes.map((name) => ({ value: customCode(name), label: t('builder.type.custom', { name }) })),
  ];
  const style = { '--field': color === undefined ? 'transparent' : `var(--series-${color})` } as CSSProperties;
  return (
    <div
      data-part={partKey}
      role="group"
      aria-label={t('builder.field', { number })}
      style={style}
      className={cx(
        'border-b border-line py-[2px] pr-2 pl-1',
        isActive && color !== undefined && 'cm-field-line',
        isActive && color === undefined && 'bg-selected',
        isChanged && 'cm-changed-line',
      )}
    >
      <div className={FIELD_COLUMNS}>
        <span aria-hidden className="h-4 bg-(--field)" />
        <TextInput
          mono
          data-column="name"
          aria-label={t('labels.name')}
          aria-invalid={problem !== undefined && problem.isEncoding !== true}
          aria-describedby={problem === undefined ? undefined : problemId}
          placeholder={t('builder.nameHint')}
          value={field.name}
          readOnly={readOnly}
          onText={(name) => onField({ ...field, name })}
          className={CELL}
        />
        <CellSelect
          label={t('builder.typeLabel')}
          column="type"
          value={code === '' ? undefined : code}
          options={options}
          disabled={readOnly}
          onValue={(next) => onField(withCode(field, next))}
        />
        <Detail {...props} />
      </div>
      <SecondLine {...props} />
      {problem !== undefined && (
        <p id={problemId} className="pt-0.5 pl-[10px] text-label text-error-text">
          {translate(problem.message)}
        </p>
      )}
    </div>
  );
}

/** The byte order of a number, or the bytes of a fixed field. */
function Detail({ field, problem, readOnly, onField }: FieldRowProps): ReactNode {
  const t = useText('parser');
  const { type } = field;
  if ((type.case === 'integer' || type.case === 'float') && type.value.sizeBytes > 1) {
    return (
      <EndianSelect
        inherited
        value={type.value.endian}
        disabled={readOnly}
        onValue={(endian) =>
          onField({ ...field, type: { ...type, value: { ...type.value, endian } } as SimpleField['type'] })
        }
      />
    );
  }
  if (type.case === 'magic') {
    return (
      <HexInput
        label={t('builder.magic')}
        placeholder="CAFE"
        value={type.value}
        invalid={NO_BYTES}
        disabled={readOnly}
        onValue={(value) => onField({ ...field, type: { case: 'magic', value } })}
      />
    );
  }
  if (type.case === 'string') {
    return (
      <TextInput
        data-column="encoding"
        aria-label={t('labels.encoding')}
        aria-invalid={problem?.isEncoding === true}
        placeholder={t('builder.default')}
        value={type.value.encoding}
        readOnly={readOnly}
        onText={(encoding) => onField({ ...field, type: { ...type, value: { ...type.value, encoding } } })}
        className={CELL}
      />
    );
  }
  return <span />;
}

/** The size of bytes and strings, and the note of a field that has one. */
function SecondLine({ field, integers, readOnly, showsNote, onField }: FieldRowProps): ReactNode {
  const t = useText('parser');
  const { type } = field;
  return (
    <>
      {(type.case === 'bytes' || type.case === 'string') && (
        <div className="flex items-center gap-1.5 pt-1 pl-[10px]">
          <SizeControls
            value={type.value.size ?? create(DelimitedSizeSchema)}
            integers={integers}
            disabled={readOnly}
            onValue={(size) =>
              onField({ ...field, type: { ...type, value: { ...type.value, size } } as SimpleField['type'] })
            }
          />
        </div>
      )}
      {(showsNote || field.documentation !== '') && (
        <div className="pt-1 pl-[10px]">
          <TextInput
            data-column="note"
            aria-label={t('labels.documentation')}
            placeholder={t('labels.documentation')}
            value={field.documentation}
            readOnly={readOnly}
            onText={(documentation) => onField({ ...field, documentation })}
            className={CELL}
          />
        </div>
      )}
    </>
  );
}
