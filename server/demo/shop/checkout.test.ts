import { describe, expect, it } from 'vitest';
import { checkCheckout } from '@/server/demo/shop/checkout';

const NOW = new Date('2026-11-21T09:00:00Z');

const GOOD = {
  fullName: 'Lin Yue',
  email: 'lin@example.org',
  street: '12 Harbour Road',
  city: 'Bristol',
  postcode: 'BS1 4QA',
  country: 'GB',
  delivery: 'standard',
  deliveryDate: '2026-12-24',
  cardNumber: '4242 4242 4242 4242',
  cardExpiry: '12/28',
  cardCode: '123',
  cardNote: '',
  terms: 'yes',
};

function problemsOf(changes: Record<string, string>): Record<string, string> {
  const checked = checkCheckout({ ...GOOD, ...changes }, NOW);
  return checked.ok ? {} : Object.fromEntries(checked.problems);
}

describe('checkCheckout', () => {
  it('[DM1] accepts a good form and takes the spaces out of the card number', () => {
    expect(checkCheckout(GOOD, NOW)).toEqual({ ok: true, fields: { ...GOOD, cardNumber: '4242424242424242' } });
  });

  it('[DM1] names every missing field once, in the order of the form', () => {
    const checked = checkCheckout({}, NOW);

    expect(checked.ok ? [] : [...checked.problems.keys()]).toEqual([
      'fullName',
      'email',
      'street',
      'city',
      'postcode',
      'country',
      'delivery',
      'deliveryDate',
      'cardNumber',
      'cardExpiry',
      'cardCode',
      'terms',
    ]);
  });

  it.each([
    ['email', 'lin', 'Enter an email address like name@example.org'],
    ['country', 'XX', 'Choose a country'],
    ['delivery', 'teleport', 'Choose how we should deliver'],
    ['deliveryDate', '2026-02-30', 'Choose a delivery date'],
    ['deliveryDate', '2026-11-21', 'We deliver from tomorrow and up to 90 days ahead'],
    ['deliveryDate', '2027-11-21', 'We deliver from tomorrow and up to 90 days ahead'],
    ['cardNumber', '4242 4242 4242 4241', 'Check the card number: try 4242 4242 4242 4242'],
    ['cardExpiry', '13/28', 'Enter the expiry date as MM/YY'],
    ['cardExpiry', '10/26', 'This card has expired'],
    ['cardCode', '12a', 'Enter the three or four digits on the back'],
    ['fullName', 'x'.repeat(121), 'Please keep this under 120 characters'],
    ['terms', 'no', 'Please agree to the terms of sale'],
  ])('[DM1] refuses %s = %s', (field, value, message) => {
    expect(problemsOf({ [field]: value })).toEqual({ [field]: message });
  });

  it.each(['2026-11-22', '2027-02-19'])('[DM1] accepts the delivery date %s, at the edge', (deliveryDate) => {
    expect(problemsOf({ deliveryDate })).toEqual({});
  });
});
