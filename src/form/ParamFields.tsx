import { commandLabels } from '#commands/model/command.ts';
import type { Param } from '#commands/model/kinds.ts';
import { isRequired } from '#commands/run/resolve.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { useZoneHint } from '#src/run/zone-hint.ts';
import { Field } from '#src/ui/fields/Field.tsx';

import { ParamControl } from './controls.tsx';
import { isVarious } from './draft.ts';
import type { ParamForm } from './use-param-form.ts';

interface ParamFieldsProps {
  /** Names of the params to show, in this order. */
  readonly names: readonly string[];
  readonly form: ParamForm;
  /** True if every param already has a value, so none is marked as required. */
  readonly hasValues?: boolean;
}

/** The fields for some of a command's params. */
export function ParamFields({ names, ...shared }: ParamFieldsProps) {
  return names.map((name) => {
    const param = shared.form.command.params[name];
    return param && <ParamField key={name} name={name} param={param} {...shared} />;
  });
}

interface ParamFieldProps extends Omit<ParamFieldsProps, 'names'> {
  readonly name: string;
  readonly param: Param;
}

function ParamField({ name, param, form, hasValues = false }: ParamFieldProps) {
  const translate = useTranslate();
  const t = useText();
  const zoneHint = useZoneHint();
  const { command, context } = form;
  const entry = form.values[name];
  const problem = form.errors[name] ?? entry?.problem;
  const blockedReason = param.blockedReason?.(context);
  const hint = blockedReason ? translate(blockedReason) : zoneHint(param);
  const hasVariousValues = isVarious(form.draft, name);
  return (
    <Field
      label={translate(commandLabels.param(command, name))}
      required={!hasValues && isRequired(param, form.args)}
      errors={problem ? [translate(problem)] : []}
      labelBeside={param.kind === 'flag' && param.fallback !== undefined}
      aside={hasVariousValues ? t('form.various') : undefined}
      {...(hint === undefined ? {} : { hint })}
    >
      <fieldset disabled={blockedReason !== undefined} className="contents">
        <ParamControl
          param={param}
          value={entry?.value}
          isVarious={hasVariousValues}
          invalidText={entry?.text}
          context={context}
          onValue={(value, newProblem, typed) => form.enter(name, value, newProblem, typed)}
        />
      </fieldset>
    </Field>
  );
}
