import type { CurrentOrganization } from '#commands/model/actor.ts';
import { texts as commandTexts } from '#commands/model/command.ts';
import type { Message } from '#commands/text/message.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { Planning } from '#src/run/plan/Planning.tsx';
import { PlanView } from '#src/run/plan/PlanView.tsx';

import type { useLinePlan } from './use-line-plan.ts';

/** True for a message from the spec (section 5), which names no field. A line has no label next to the problem. */
const isSpecMessage = ({ key }: Message): boolean => key.startsWith('core:validation.');

/** Shows the plan of a line being typed, or the reason why the line cannot run. */
export function LinePlan({
  command,
  planned,
  outline,
  organization,
}: ReturnType<typeof useLinePlan> & {
  readonly organization: CurrentOrganization;
}) {
  const say = useSay();
  const text = useText('running');
  const paramLabel = (name: string): string => (command ? say(commandTexts.param(command, name)) : name);
  const hasNothingToShow = planned.status === 'none' || (planned.status === 'ready' && !planned.prepared.plan);
  if (hasNothingToShow) return null;
  return (
    <section
      aria-label={text('palette.plan')}
      aria-live="polite"
      className="border-t border-line bg-surface-0 px-4 py-2.5"
    >
      {outline && <PlanView prepared={outline} organization={organization} />}
      {planned.status === 'preparing' && <Planning progress={planned.progress} outlined={outline !== undefined} />}
      {planned.status === 'ready' && <PlanView prepared={planned.prepared} organization={organization} />}
      {planned.status === 'failed' && (
        <p role="alert" className="text-error-text">
          {planned.param !== undefined && isSpecMessage(planned.message) && `${paramLabel(planned.param)}: `}
          {say(planned.message)}
        </p>
      )}
    </section>
  );
}
