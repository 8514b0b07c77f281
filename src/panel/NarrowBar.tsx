import { useState } from 'react';

import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Narrowing } from '#commands/model/narrowing.ts';
import { checkValue } from '#commands/run/values.ts';
import type { Message } from '#commands/text/message.ts';
import { ParamControl } from '#src/form/controls.tsx';
import { useSay } from '#src/i18n/i18n.ts';
import { contextNow } from '#src/run/context.ts';
import { Field } from '#src/ui/fields/Field.tsx';

interface NarrowBarProps {
  readonly label: string;
  readonly narrowings: Readonly<Record<string, Narrowing>>;
  readonly values: Args;
  readonly onValues: (values: Args) => void;
}

/** Fields above a list that narrow it. An invalid value shows its problem and leaves the list unchanged. */
export function NarrowBar({ label, narrowings, values, onValues }: NarrowBarProps) {
  const say = useSay();
  const [context] = useState(() => contextNow());
  const [problems, setProblems] = useState<Readonly<Record<string, Message | undefined>>>({});
  const set = (name: string, { param }: Narrowing, value: ArgValue | undefined, parseProblem?: Message): void => {
    const problem = parseProblem ?? (value === undefined ? undefined : checkValue(param, value, contextNow()));
    setProblems((current) => ({ ...current, [name]: problem }));
    if (problem) return;
    const { [name]: _removed, ...others } = values;
    onValues(value === undefined || value === false ? others : { ...others, [name]: value });
  };
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-x-4 gap-y-2 px-4 pt-2.5 pb-1">
      {Object.entries(narrowings).map(([name, narrowing]) => {
        const problem = problems[name];
        return (
          <div key={name} className={narrowing.param.kind === 'flag' ? undefined : 'min-w-40 flex-1'}>
            <Field label={say(narrowing.label)} errors={problem ? [say(problem)] : []}>
              <ParamControl
                param={narrowing.param}
                value={values[name]}
                various={false}
                context={context}
                onValue={(value, parseProblem) => set(name, narrowing, value, parseProblem)}
              />
            </Field>
          </div>
        );
      })}
    </div>
  );
}
