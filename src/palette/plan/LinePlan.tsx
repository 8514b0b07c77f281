import type { ActingOrganization } from '#commands/model/actor.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { Planning } from '#src/run/plan/Planning.tsx';
import { PlanView } from '#src/run/plan/PlanView.tsx';

import type { useLinePlan } from './use-line-plan.ts';

/** Shows the plan of a line being typed, or the reason why the line cannot run. */
export function LinePlan({
  planned,
  outline,
  organization,
}: ReturnType<typeof useLinePlan> & {
  readonly organization: ActingOrganization;
}) {
  const say = useSay();
  const text = useText();
  const isQuiet = planned.status === 'none' || (planned.status === 'ready' && !planned.prepared.plan);
  if (isQuiet) return null;
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
          {say(planned.message)}
        </p>
      )}
    </section>
  );
}
