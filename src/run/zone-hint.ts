import type { Param } from '#commands/model/kinds.ts';
import { useText } from '#src/i18n/i18n.ts';

/** Tells in which time zone a typed value is. Undefined for a value without a time. */
type ZoneHint = (param: Param) => string | undefined;

/**
 * Shown times are in the user's time zone, but typed times are in UTC, like those in command lines and links. Only the
 * periods of a chart are in the time zone of its axis.
 */
export function useZoneHint(): ZoneHint {
  const t = useText();
  return (param) => {
    if (param.kind !== 'time' && param.kind !== 'range') return undefined;
    const isLocal = param.kind === 'range' && 'local' in param && param.local === true;
    return isLocal
      ? t('calendar.local', { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone })
      : t('calendar.utc');
  };
}
