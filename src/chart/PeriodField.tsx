import { useId, useRef, useState } from 'react';

import type { KindValues } from '#commands/model/arg-value.ts';
import type { Message } from '#commands/text/message.ts';
import { RangeControl } from '#src/form/time-controls.tsx';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { contextNow } from '#src/run/context.ts';
import { FieldContext } from '#src/ui/fields/field-context.ts';

import { localContext, PERIOD } from './chart-range.ts';

type Range = KindValues['range'];

interface PeriodFieldProps {
  readonly range: Range | undefined;
  /** The text to start with if it is not a period. */
  readonly text: string | undefined;
  readonly onRange: (range: Range) => void;
}

/** A field for any period. Typed text (`-36h`) applies on Enter, and days from the calendar apply immediately. */
export function PeriodField({ range, text, onRange }: PeriodFieldProps) {
  const chartText = useText('chart');
  const translate = useTranslate();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<{ readonly range?: Range; readonly problem?: Message }>({});
  const [isProblemShown, showProblem] = useState(false);
  const isTyping = (): boolean =>
    document.activeElement instanceof HTMLInputElement && root.current?.contains(document.activeElement) === true;
  return (
    <div
      ref={root}
      role="group"
      aria-label={chartText('period')}
      className="w-52 [&_input]:h-6"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !isTyping()) return;
        event.preventDefault();
        if (typed.range) onRange(typed.range);
        else showProblem(typed.problem !== undefined);
      }}
    >
      <label htmlFor={id} className="sr-only">
        {chartText('period')}
      </label>
      <FieldContext value={{ id }}>
        <RangeControl
          param={PERIOD}
          value={range}
          isVarious={false}
          invalidText={range === undefined ? text : undefined}
          context={localContext(contextNow())}
          onValue={(value, problem) => {
            showProblem(false);
            const next = value as Range | undefined;
            if (next && !isTyping()) onRange(next);
            else setTyped({ ...(next ? { range: next } : {}), ...(problem ? { problem } : {}) });
          }}
        />
      </FieldContext>
      {isProblemShown && typed.problem && (
        <p role="alert" className="pt-1 text-error-text">
          {translate(typed.problem)}
        </p>
      )}
    </div>
  );
}
