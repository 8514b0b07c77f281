import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Param } from '#commands/model/kinds.ts';
import { isRequired } from '#commands/run/resolve.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { Field } from '#src/ui/fields/Field.tsx';

import { ParamControl } from './controls.tsx';
import { argsOf, enterValue, isVarious, currentValue, type FormDraft } from './draft.ts';

interface ParamFieldsProps {
  /** Names of the params to show, in this order. */
  readonly names: readonly string[];
  readonly command: Command;
  readonly draft: FormDraft;
  readonly context: Context;
  /** True if every param already has a value, so none is marked as required. */
  readonly hasValues?: boolean;
  readonly onDraft: (draft: FormDraft) => void;
}

/** The fields for some of a command's params. */
export function ParamFields({ names, ...shared }: ParamFieldsProps) {
  return names.map((name) => {
    const param = shared.command.params[name];
    return param && <ParamField key={name} name={name} param={param} {...shared} />;
  });
}

interface ParamFieldProps extends Omit<ParamFieldsProps, 'names'> {
  readonly name: string;
  readonly param: Param;
}

function ParamField({ name, param, command, draft, context, hasValues = false, onDraft }: ParamFieldProps) {
  const translate = useTranslate();
  const t = useText();
  const problem = draft.problems[name];
  const blockedReason = param.blockedReason?.(context);
  const hasVariousValues = isVarious(draft, name);
  return (
    <Field
      label={translate(commandLabels.param(command, name))}
      required={!hasValues && isRequired(param, argsOf(command, draft))}
      errors={problem ? [translate(problem)] : []}
      labelBeside={param.kind === 'flag' && param.fallback !== undefined}
      aside={hasVariousValues ? t('form.various') : undefined}
      {...(blockedReason ? { hint: translate(blockedReason) } : {})}
    >
      <fieldset disabled={blockedReason !== undefined} className="contents">
        <ParamControl
          param={param}
          value={currentValue(draft, name)}
          isVarious={hasVariousValues}
          invalidText={draft.invalidTexts[name]}
          context={context}
          onValue={(value, newProblem, typed) => onDraft(enterValue(draft, name, value, newProblem, typed))}
        />
      </fieldset>
    </Field>
  );
}
