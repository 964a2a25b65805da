import { place } from '../../address';
import { Text } from '../../parts/filter-fields';

const MINUTE = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d$/;

/** The time that the address asks for, as the API takes it; undefined: now. */
export function readAsOf(): string | undefined {
  const { asOf = '' } = place.value.params;
  const time = MINUTE.test(asOf) ? Date.parse(`${asOf}Z`) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** The field for that time. It is in UTC, so that a link shows a colleague in another zone the same. */
export function AsOf() {
  return (
    <label>
      As of, UTC <Text name="asOf" placeholder="As of, UTC" type="datetime-local" />
    </label>
  );
}
