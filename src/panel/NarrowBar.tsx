import { useState } from 'react';

import type { Args } from '#commands/model/invocation.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Message } from '#commands/text/message.ts';
import type { Narrowing } from '#commands/model/narrowing.ts';
import { checkValue } from '#commands/run/values.ts';

import { contextNow } from '#src/run/context.ts';
import { useSay } from '#src/i18n/i18n.ts';
import { Field } from '#src/ui/fields/Field.tsx';
import { ParamControl } from '#src/form/controls.tsx';

interface NarrowBarProps {
  readonly label: string;
  readonly narrow: Readonly<Record<string, Narrowing>>;
  readonly values: Args;
  readonly onValues: (values: Args) => void;
}

/** The fields that narrow a list down, above it. What cannot be read is said, and leaves the list as it is. */
export function NarrowBar({ label, narrow, values, onValues }: NarrowBarProps) {
  const say = useSay();
  const [context] = useState(() => contextNow());
  const [problems, setProblems] = useState<Readonly<Record<string, Message | undefined>>>({});
  const set = (name: string, { param }: Narrowing, value: ArgValue | undefined, unread?: Message): void => {
    const problem = unread ?? (value === undefined ? undefined : checkValue(param, value, contextNow()));
    setProblems((before) => ({ ...before, [name]: problem }));
    if (problem) return;
    const { [name]: _before, ...others } = values;
    onValues(value === undefined || value === false ? others : { ...others, [name]: value });
  };
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-x-4 gap-y-2 px-4 pt-2.5 pb-1">
      {Object.entries(narrow).map(([name, each]) => {
        const problem = problems[name];
        return (
          <div key={name} className={each.param.kind === 'flag' ? undefined : 'min-w-40 flex-1'}>
            <Field label={say(each.label)} errors={problem ? [say(problem)] : []}>
              <ParamControl
                param={each.param}
                value={values[name]}
                various={false}
                context={context}
                onValue={(value, unread) => set(name, each, value, unread)}
              />
            </Field>
          </div>
        );
      })}
    </div>
  );
}
