import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorMessage } from '../components/error-message.tsx';
import { Field, textOf } from '../components/form.tsx';
import { useProfile } from '../profile/profile-provider.tsx';
import { citiesOptions, statesOptions } from './geography.ts';

/** The fields of an address. The user first chooses the state, then one of its cities. @param prefix of the names, such as `address.` */
export function AddressFields({ prefix = '', autoFocus = false }: { prefix?: string; autoFocus?: boolean }) {
  const profile = useProfile();
  const [stateCode, setStateCode] = useState<number>();
  const states = useQuery(statesOptions(profile));
  const cities = useQuery(citiesOptions(profile, stateCode));
  return (
    <>
      <Field
        label="Postal code"
        name={`${prefix}zipCode`}
        hint="8 digits"
        required
        autoFocus={autoFocus}
        autoComplete="postal-code"
        inputMode="numeric"
      />
      <Field label="Street" name={`${prefix}street`} required autoComplete="address-line1" />
      <Field label="Number" name={`${prefix}number`} required />
      <Field label="Complement" name={`${prefix}complement`} autoComplete="address-line2" />
      <Field label="District" name={`${prefix}district`} autoComplete="address-level3" />
      <Field label="State" name={`${prefix}stateCode`}>
        {(control) => (
          <select {...control} required defaultValue="" onChange={({ target }) => setStateCode(Number(target.value))}>
            <option value="" disabled>
              {states.isLoading ? 'Loading…' : 'Choose a state'}
            </option>
            {states.data?.data.map(({ stateCode: code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {states.isError && <ErrorMessage error={states.error} onRetry={() => void states.refetch()} />}
      <Field label="City" name={`${prefix}cityCode`}>
        {(control) => (
          <select {...control} key={stateCode} required disabled={!cities.data} defaultValue="">
            <option value="" disabled>
              {stateCode === undefined ? 'Choose the state first' : cities.isLoading ? 'Loading…' : 'Choose a city'}
            </option>
            {cities.data?.map(({ ibgeCode, name }) => (
              <option key={ibgeCode} value={ibgeCode}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {cities.isError && <ErrorMessage error={cities.error} onRetry={() => void cities.refetch()} />}
    </>
  );
}

/** Reads the address from the values of a form. */
export const addressOf = (values: FormData, prefix = '') => ({
  zipCode: (textOf(values, `${prefix}zipCode`) ?? '').replaceAll(/\D/g, ''),
  street: textOf(values, `${prefix}street`) ?? '',
  number: textOf(values, `${prefix}number`) ?? '',
  complement: textOf(values, `${prefix}complement`),
  district: textOf(values, `${prefix}district`),
  stateCode: Number(values.get(`${prefix}stateCode`)),
  cityCode: Number(values.get(`${prefix}cityCode`)),
});
