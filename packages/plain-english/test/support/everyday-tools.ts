import type { ToolDescription } from '../../src/types';
import { KNOWN_TOOLS } from '../../src/known-tools';

type Entry = readonly [type: string, description: string, choices?: string[]];

function tool(name: string, description: string, entries: Readonly<Record<string, Entry>>): ToolDescription {
  const parameters = Object.entries(entries).map(([key, [type, about, choices]]) => [
    key,
    {
      type: type.replace('?', ''),
      description: about,
      required: !type.endsWith('?'),
      ...(choices ? { enum: choices } : {}),
    },
  ]);
  return { name, description, parameters: Object.fromEntries(parameters) };
}

/** Tools as callers register them, unlike those of the sets: the rules know none of them. */
export const tools: readonly ToolDescription[] = [
  ...KNOWN_TOOLS,
  tool('send_parcel', 'Sends a parcel by courier.', {
    recipientName: ['string', 'Name of the person who receives the parcel'],
    address: ['string', 'Street address of the recipient'],
    weightKg: ['number', 'Weight in kilograms'],
    service: ['string?', 'How fast it is delivered', ['standard', 'express', 'overnight']],
    insured: ['boolean?', 'Whether the parcel is insured'],
    declaredValue: ['number?', 'Value of the contents in euros'],
  }),
  tool('rent_car', 'Rents a car for some days.', {
    carClass: ['string', 'Size of the car', ['small', 'medium', 'large', 'van']],
    pickupCity: ['string', 'City where the car is picked up'],
    pickupDate: ['string', 'Day of the pickup as written in the request'],
    days: ['integer', 'For how many days'],
    childSeat: ['boolean?', 'Whether a child seat is needed'],
    driverName: ['string?', 'Full name of the driver'],
  }),
  tool('log_expense', 'Records a business expense.', {
    amount: ['number', 'How much was spent'],
    category: ['string', 'What it was spent on', ['travel', 'meals', 'software', 'office']],
    currency: ['string?', 'Currency of the amount', ['EUR', 'USD', 'GBP']],
    vendor: ['string?', 'Shop or company that was paid'],
    date: ['string?', 'Day of the expense as written in the request'],
    reimbursable: ['boolean?', 'Whether the expense is paid back'],
  }),
  tool('create_meeting', 'Puts a meeting into the calendar.', {
    title: ['string', 'What the meeting is about'],
    date: ['string', 'Day of the meeting as written in the request'],
    time: ['string', 'Start time as written in the request'],
    durationMinutes: ['integer?', 'Length in minutes'],
    attendees: ['array?', 'Names of the people who are invited'],
    online: ['boolean?', 'Whether the meeting is held online'],
  }),
  tool('order_flowers', 'Has a bouquet of flowers delivered.', {
    flower: ['string', 'Kind of flower', ['roses', 'tulips', 'lilies', 'sunflowers']],
    count: ['integer', 'Number of stems'],
    recipient: ['string', 'Name of the person who gets the flowers'],
    deliveryDate: ['string', 'Day of the delivery as written in the request'],
    cardMessage: ['string?', 'Text on the card'],
  }),
  tool('set_thermostat', 'Sets the heating of a room.', {
    room: ['string', 'Room, such as kitchen'],
    temperature: ['number', 'Degrees Celsius'],
    mode: ['string?', 'Mode of the heating', ['comfort', 'eco', 'boost']],
    until: ['string?', 'Time until which it holds, as written in the request'],
  }),
  tool('file_claim', 'Files an insurance claim.', {
    policyNumber: ['string', 'Number of the policy, such as PL-4821'],
    incident: ['string', 'What happened', ['theft', 'fire', 'flood', 'collision']],
    incidentDate: ['string', 'Date of the incident as YYYY-MM-DD, exactly as written in the request'],
    loss: ['number?', 'Estimated loss in euros'],
    policeInformed: ['boolean?', 'Whether the police were informed'],
  }),
  tool('add_contact', 'Adds a person to the address book.', {
    fullName: ['string', 'Full name of the person'],
    phone: ['string?', 'Phone number'],
    email: ['string?', 'E-mail address'],
    company: ['string?', 'Company the person works for'],
    favourite: ['boolean?', 'Whether the contact is a favourite'],
  }),
  tool('hire_interpreter', 'Hires an interpreter for an event.', {
    language: ['string', 'Language to interpret'],
    city: ['string', 'City of the event'],
    date: ['string', 'Date of the event as written in the request'],
    hours: ['number', 'How many hours'],
    certified: ['boolean?', 'Whether the interpreter has to be certified'],
  }),
  tool('book_flight', 'Books a flight for passengers.', {
    from: ['string', 'City or airport of departure'],
    to: ['string', 'City or airport of arrival'],
    departureDate: ['string', 'Day of departure as written in the request'],
    passengers: ['integer', 'Number of passengers'],
    returnDate: ['string?', 'Day of the return flight as written in the request'],
    cabin: ['string?', 'Class of travel', ['economy', 'business', 'first']],
  }),
  tool('log_workout', 'Writes a workout into the training diary.', {
    activity: ['string', 'Kind of sport', ['running', 'cycling', 'swimming', 'rowing']],
    distanceKm: ['number', 'Distance in kilometres'],
    minutes: ['integer?', 'Duration in minutes'],
    date: ['string?', 'Day of the workout as written in the request'],
    indoors: ['boolean?', 'Whether it was indoors'],
  }),
  tool('post_job', 'Publishes a job advertisement.', {
    position: ['string', 'Title of the job'],
    city: ['string', 'Where the job is'],
    contract: ['string', 'Kind of contract', ['permanent', 'temporary', 'internship']],
    salary: ['number?', 'Yearly salary in euros'],
    remote: ['boolean?', 'Whether remote work is possible'],
    skills: ['array?', 'Skills that are asked for, in the order named'],
  }),
  tool('adjust_stock', 'Adjusts the stock of an article in a warehouse.', {
    sku: ['string', 'Article number, such as SKU-00123'],
    quantity: ['integer', 'Pieces added or removed'],
    action: ['string', 'What happens to the stock', ['add', 'remove', 'reserve']],
    warehouse: ['string?', 'Warehouse, such as W3'],
    reason: ['string?', 'Why the stock changes'],
  }),
];
