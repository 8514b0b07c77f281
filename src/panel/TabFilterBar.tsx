import { useState } from 'react';

import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { TabFilter } from '#commands/model/tab-filter.ts';
import { checkValue } from '#commands/run/values.ts';
import type { Message } from '#commands/text/message.ts';
import { ParamControl } from '#src/form/controls.tsx';
import { useTranslate } from '#src/i18n/i18n.ts';
import { contextNow } from '#src/run/context.ts';
import { Field } from '#src/ui/fields/Field.tsx';

interface TabFilterBarProps {
  readonly label: string;
  readonly filters: Readonly<Record<string, TabFilter>>;
  readonly values: Args;
  readonly onValues: (values: Args) => void;
}

/** The filters above a detail tab. An invalid value shows its problem and leaves the list unchanged. */
export function TabFilterBar({ label, filters, values, onValues }: TabFilterBarProps) {
  const translate = useTranslate();
  const [context] = useState(() => contextNow());
  const [problems, setProblems] = useState<Readonly<Record<string, Message | undefined>>>({});
  const set = (name: string, { param }: TabFilter, value: ArgValue | undefined, parseProblem?: Message): void => {
    const problem = parseProblem ?? (value === undefined ? undefined : checkValue(param, value, contextNow()));
    setProblems((current) => ({ ...current, [name]: problem }));
    if (problem) return;
    const { [name]: _removed, ...otherValues } = values;
    onValues(value === undefined || value === false || value === '' ? otherValues : { ...otherValues, [name]: value });
  };
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-x-4 gap-y-2 px-4 pt-2.5 pb-1">
      {Object.entries(filters).map(([name, filter]) => {
        const problem = problems[name];
        return (
          <div key={name} className={filter.param.kind === 'flag' ? 'self-end pb-1' : 'min-w-40 flex-1'}>
            <Field
              label={translate(filter.label)}
              labelBeside={filter.param.kind === 'flag'}
              errors={problem ? [translate(problem)] : []}
            >
              <ParamControl
                param={filter.param}
                value={values[name] ?? filter.param.fallback}
                isVarious={false}
                context={context}
                onValue={(value, parseProblem) => set(name, filter, value, parseProblem)}
              />
            </Field>
          </div>
        );
      })}
    </div>
  );
}
