import type { CurrentOrganization } from '#commands/model/actor.ts';
import { commandLabels } from '#commands/model/command.ts';
import type { Message } from '#commands/text/message.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { Planning } from '#src/run/plan/Planning.tsx';
import { PlanView } from '#src/run/plan/PlanView.tsx';

import type { useLinePlan } from './use-line-plan.ts';

/** True for a message from the spec (section 5). These messages do not name the field, and a line shows no label. */
const isSpecMessage = ({ key }: Message): boolean => key.startsWith('core:validation.');

/** Shows the plan for the typed line, or the reason why the line cannot run. */
export function LinePlan({
  command,
  planState,
  outline,
  organization,
}: ReturnType<typeof useLinePlan> & {
  readonly organization: CurrentOrganization;
}) {
  const translate = useTranslate();
  const t = useText('running');
  const paramLabel = (name: string): string => (command ? translate(commandLabels.param(command, name)) : name);
  const hasNothingToShow = planState.status === 'none' || (planState.status === 'ready' && !planState.preparedRun.plan);
  if (hasNothingToShow) return null;
  return (
    <section
      aria-label={t('palette.plan')}
      aria-live="polite"
      className="border-t border-line bg-surface-0 px-4 py-2.5"
    >
      {outline && <PlanView preparedRun={outline} organization={organization} />}
      {planState.status === 'preparing' && (
        <Planning progress={planState.progress} hasOutline={outline !== undefined} />
      )}
      {planState.status === 'ready' && <PlanView preparedRun={planState.preparedRun} organization={organization} />}
      {planState.status === 'failed' && (
        <p role="alert" className="whitespace-pre-line text-error-text">
          {planState.param !== undefined && isSpecMessage(planState.message) && `${paramLabel(planState.param)}: `}
          {translate(planState.message)}
        </p>
      )}
    </section>
  );
}
