import { Trash2 } from 'lucide-react';
import { useId, type ReactNode } from 'react';

import { formatSimple } from '#commands/nouns/data/parser/simple-fields.ts';
import type { SimpleProblem } from '#commands/nouns/data/parser/simple-problems.ts';
import type { SimpleModemMessageBodyParser as SimpleParser } from '#proto/gen/hiber/parser_pb.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import { IconButton } from '#src/ui/IconButton.tsx';

import { CELL, EndianSelect } from './controls.tsx';
import { FIELD_COLUMNS, FieldRow } from './FieldRow.tsx';
import {
  changeType,
  integersBefore,
  keyOfPart,
  renameType,
  setField,
  typeAt,
  visibleTypes,
  type Section,
} from './model.ts';

/** The content of the form, and the functions that change it. */
export interface FormProps {
  readonly parser: SimpleParser;
  readonly readOnly: boolean;
  readonly problems: readonly SimpleProblem[];
  /** The key of the field that the active value was read by. */
  readonly active: string | undefined;
  readonly colorOfPart: (key: string) => number | undefined;
  readonly onParser: (parser: SimpleParser) => void;
}

interface TypeSectionProps extends FormProps {
  readonly section: Section;
  /** The key of the field that the user is at. */
  readonly currentKey: string;
  /** The key of a field whose empty note is shown. */
  readonly notedKey: string | undefined;
  /** The saved fields. Undefined for a new parser. */
  readonly savedTexts: ReadonlySet<string> | undefined;
  readonly onAdd: () => void;
  /** Removes the custom type. */
  readonly onRemove: () => void;
}

/** The fields of the parser or of a custom type, which has its name and its defaults above them. */
export function TypeSection(props: TypeSectionProps) {
  const {
    parser,
    section,
    readOnly,
    problems,
    active,
    colorOfPart,
    currentKey,
    notedKey,
    savedTexts,
    onParser,
    onAdd,
    onRemove,
  } = props;
  const { types, type } = section;
  const t = useText('parser');
  const problemAt = (key: string): SimpleProblem | undefined => problems.find((problem) => keyOfPart(problem) === key);
  const isOutermost = types.length === 0;
  const ownKey = keyOfPart({ types });
  const ownProblem = isOutermost ? undefined : problemAt(ownKey);
  const names = types.map((_, index) => typeAt(parser, types.slice(0, index + 1))?.name ?? '');
  const label = isOutermost ? t('labels.fields') : t('builder.typeNamed', { name: names.join('/') });
  const isChanged = (text: string): boolean => savedTexts !== undefined && !savedTexts.has(text);
  const prefix = names.map((name) => `${name}/`).join('');
  return (
    <section aria-label={label} style={{ paddingLeft: Math.max(0, types.length - 1) * 12 }}>
      {!isOutermost && (
        <div data-part={ownKey} className="border-b border-line bg-surface-2 px-2 py-1">
          <Defaults
            parser={type}
            readOnly={readOnly}
            inherited
            label={t('builder.typeLabel')}
            name={
              <TextInput
                mono
                data-column="name"
                aria-label={t('builder.typeName')}
                aria-invalid={ownProblem !== undefined && ownProblem.isEncoding !== true}
                value={type.name}
                readOnly={readOnly}
                onText={(name) => onParser(renameType(parser, types, name))}
                className={CELL}
              />
            }
            problem={ownProblem}
            onParser={(next) => onParser(changeType(parser, types, () => next))}
            aside={
              !readOnly && (
                <IconButton
                  label={t('builder.removeType')}
                  icon={<Trash2 size={14} aria-hidden />}
                  onClick={onRemove}
                />
              )
            }
          />
        </div>
      )}
      {isOutermost && type.fields.length > 0 && (
        <div aria-hidden className={cx(FIELD_COLUMNS, 'h-6 border-b border-line pr-2 pl-1 text-label text-ink-3')}>
          <span />
          {['labels.name', 'builder.typeLabel', 'builder.detail'].map((key) => (
            <span key={key} className="px-1.5">
              {t(key)}
            </span>
          ))}
        </div>
      )}
      {type.fields.length === 0 ? (
        <p className="flex items-center gap-2 border-b border-line px-3 py-2 text-ink-3">
          {t('builder.empty')}
          {!readOnly && (
            <Button tone="quiet" className="h-6 px-1.5" onClick={onAdd}>
              {t('builder.add')}
            </Button>
          )}
        </p>
      ) : (
        <div>
          {type.fields.map((field, index) => {
            const key = keyOfPart({ types, field: index });
            const [text = ''] = formatSimple({ fields: [field], customTypes: [] });
            return (
              <FieldRow
                key={key}
                partKey={key}
                number={index + 1}
                field={field}
                types={visibleTypes(parser, types)}
                integers={integersBefore(parser, { types, field: index })}
                readOnly={readOnly}
                isActive={key === active}
                isChanged={isChanged(prefix + text)}
                isCurrent={key === currentKey}
                showsNote={key === notedKey}
                color={colorOfPart(key)}
                problem={problemAt(key)}
                onField={(next) => onParser(setField(parser, { types, field: index }, next))}
              />
            );
          })}
        </div>
      )}
    </section>
  );
}

interface DefaultsProps {
  readonly parser: SimpleParser;
  readonly readOnly: boolean;
  /** True for a custom type, which inherits what it does not set. */
  readonly inherited?: boolean;
  readonly label?: string;
  readonly name?: ReactNode;
  readonly aside?: ReactNode;
  readonly problem: SimpleProblem | undefined;
  readonly onParser: (parser: SimpleParser) => void;
}

/** The byte order and the text encoding of fields that have none of their own. */
export function Defaults(props: DefaultsProps) {
  const { parser, readOnly, inherited = false, label, name, aside, problem, onParser } = props;
  const t = useText('parser');
  const translate = useTranslate();
  const problemId = useId();
  return (
    <>
      <div className="flex items-center gap-1.5">
        {label !== undefined && (
          <span aria-hidden className="shrink-0 text-label text-ink-3">
            {label}
          </span>
        )}
        {name && <span className="min-w-0 grow-2 basis-28">{name}</span>}
        <span className="min-w-0 grow basis-24">
          <EndianSelect
            inherited={inherited}
            value={parser.defaultEndian}
            disabled={readOnly}
            onValue={(defaultEndian) => onParser({ ...parser, defaultEndian })}
          />
        </span>
        <span className="min-w-0 grow basis-16">
          <TextInput
            data-column="encoding"
            aria-label={t('labels.encoding')}
            aria-invalid={problem?.isEncoding === true}
            aria-describedby={problem && problemId}
            placeholder={inherited ? t('builder.default') : 'UTF-8'}
            value={parser.defaultTextEncoding}
            readOnly={readOnly}
            onText={(defaultTextEncoding) => onParser({ ...parser, defaultTextEncoding })}
            className={CELL}
          />
        </span>
        {aside}
      </div>
      {problem && (
        <p id={problemId} className="pt-0.5 text-label text-error-text">
          {translate(problem.message)}
        </p>
      )}
    </>
  );
}
