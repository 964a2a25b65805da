import { isPlainEnglishError } from '../src/errors';
import { understand } from '../src';
import { tools } from './support/everyday-tools';

function plan(query: string): unknown[] {
  return understand(query, tools).steps.map(({ toolName, args }) => [toolName, args]);
}

test.each<[string, readonly (readonly [string, Readonly<Record<string, unknown>>])[]]>([
  [
    'Send a 3.5 kg parcel to Laura Finch at 12 Baker Street, express and insured please',
    [
      [
        'send_parcel',
        {
          recipientName: 'Laura Finch',
          address: '12 Baker Street',
          weightKg: 3.5,
          service: 'express',
          insured: true,
        },
      ],
    ],
  ],
  [
    'parcel for Ina Berg, 44 Lake Drive, 800 grams, overnight',
    [
      [
        'send_parcel',
        { recipientName: 'Ina Berg', address: '44 Lake Drive', weightKg: 0.8, service: 'overnight' },
      ],
    ],
  ],
  [
    'recipientName: Karl Otto, address: 3 Mill Court, weightKg: 5, insured: yes',
    [['send_parcel', { recipientName: 'Karl Otto', address: '3 Mill Court', weightKg: 5, insured: true }]],
  ],
  [
    'Rent me a small car in Lisbon for 5 days from 3 June, with a child seat',
    [
      [
        'rent_car',
        { carClass: 'small', pickupCity: 'Lisbon', pickupDate: '3 June', days: 5, childSeat: true },
      ],
    ],
  ],
  [
    'We need a van in Oslo on 12 May for two days. The driver is Erik Dahl.',
    [
      [
        'rent_car',
        { carClass: 'van', pickupCity: 'Oslo', pickupDate: '12 May', days: 2, driverName: 'Erik Dahl' },
      ],
    ],
  ],
  [
    'could I hire a large car for a week in Porto starting next Monday? driver Ana Reis',
    [
      [
        'rent_car',
        {
          carClass: 'large',
          pickupCity: 'Porto',
          pickupDate: 'next Monday',
          days: 7,
          driverName: 'Ana Reis',
        },
      ],
    ],
  ],
  [
    'medium car, Berlin, tomorrow, 3 days, no child seat',
    [
      [
        'rent_car',
        { carClass: 'medium', pickupCity: 'Berlin', pickupDate: 'tomorrow', days: 3, childSeat: false },
      ],
    ],
  ],
  [
    'Log an expense of 45.90 euros for meals at Bistro Verde yesterday',
    [
      [
        'log_expense',
        { amount: 45.9, category: 'meals', currency: 'EUR', vendor: 'Bistro Verde', date: 'yesterday' },
      ],
    ],
  ],
  [
    'expense: 18 GBP, office, 4 March',
    [['log_expense', { amount: 18, category: 'office', currency: 'GBP', date: '4 March' }]],
  ],
  [
    'Put a travel expense of 230 on the books, not reimbursable',
    [['log_expense', { amount: 230, category: 'travel', reimbursable: false }]],
  ],
  [
    'Set up a meeting called Budget Review on Tuesday at 10:00 for 45 minutes with Ann, Bob and Carla',
    [
      [
        'create_meeting',
        {
          title: 'Budget Review',
          date: 'Tuesday',
          time: '10:00',
          durationMinutes: 45,
          attendees: ['Ann', 'Bob', 'Carla'],
        },
      ],
    ],
  ],
  [
    'please schedule "Sprint planning" for 3 May at 9am, online',
    [['create_meeting', { title: 'Sprint planning', date: '3 May', time: '9am', online: true }]],
  ],
  [
    'Meeting about the new website tomorrow at 14:30, one hour, invite Lena and Jo',
    [
      [
        'create_meeting',
        {
          title: 'new website',
          date: 'tomorrow',
          time: '14:30',
          durationMinutes: 60,
          attendees: ['Lena', 'Jo'],
        },
      ],
    ],
  ],
  [
    'title: Team Lunch; date: Friday; time: 12:30; attendees: Max, Ida',
    [['create_meeting', { title: 'Team Lunch', date: 'Friday', time: '12:30', attendees: ['Max', 'Ida'] }]],
  ],
  [
    '20 roses for Emma Stone on 14 February with the message "Forever yours"',
    [
      [
        'order_flowers',
        {
          flower: 'roses',
          count: 20,
          recipient: 'Emma Stone',
          deliveryDate: '14 February',
          cardMessage: 'Forever yours',
        },
      ],
    ],
  ],
  [
    "I'd like a dozen tulips delivered to my aunt Rosa Blum on Sunday, and the card should say Get well soon",
    [
      [
        'order_flowers',
        {
          flower: 'tulips',
          count: 12,
          recipient: 'Rosa Blum',
          deliveryDate: 'Sunday',
          cardMessage: 'Get well soon',
        },
      ],
    ],
  ],
  [
    'can you get fifteen sunflowers to Nils Holm on Friday',
    [['order_flowers', { flower: 'sunflowers', count: 15, recipient: 'Nils Holm', deliveryDate: 'Friday' }]],
  ],
  [
    'Set the kitchen to 21 degrees until 22:00 in eco mode',
    [['set_thermostat', { room: 'kitchen', temperature: 21, mode: 'eco', until: '22:00' }]],
  ],
  [
    "It's cold in the bathroom, put the heating on 24 with boost",
    [['set_thermostat', { room: 'bathroom', temperature: 24, mode: 'boost' }]],
  ],
  [
    "My bike was stolen on 2026-03-04. Policy PL-7731, I'd say the loss is 900 euros. I have informed the police.",
    [
      [
        'file_claim',
        {
          policyNumber: 'PL-7731',
          incident: 'theft',
          incidentDate: '2026-03-04',
          loss: 900,
          policeInformed: true,
        },
      ],
    ],
  ],
  [
    'File a claim for a fire on 2026-01-11, policy number PL-1002, loss 12,000',
    [['file_claim', { policyNumber: 'PL-1002', incident: 'fire', incidentDate: '2026-01-11', loss: 12000 }]],
  ],
  [
    'flood in the basement 2026-02-20, PL-5540, police not informed',
    [
      [
        'file_claim',
        { policyNumber: 'PL-5540', incident: 'flood', incidentDate: '2026-02-20', policeInformed: false },
      ],
    ],
  ],
  [
    'Add Julia Marsh to my contacts, phone +44 20 7946 0011, she works for Northwind',
    [['add_contact', { fullName: 'Julia Marsh', phone: '+44 20 7946 0011', company: 'Northwind' }]],
  ],
  [
    'new contact: Peter Voss, peter.voss@example.com, mark him as a favourite',
    [['add_contact', { fullName: 'Peter Voss', email: 'peter.voss@example.com', favourite: true }]],
  ],
  [
    "Save Omar Said's e-mail omar@example.org, company Blue Harbor Ltd",
    [['add_contact', { fullName: 'Omar Said', email: 'omar@example.org', company: 'Blue Harbor Ltd' }]],
  ],
  [
    'I need a certified French interpreter in Geneva on 9 October for four hours',
    [
      [
        'hire_interpreter',
        { language: 'French', city: 'Geneva', date: '9 October', hours: 4, certified: true },
      ],
    ],
  ],
  [
    'hire someone who speaks Japanese in Munich on 2026-05-02, 3 hours',
    [['hire_interpreter', { language: 'Japanese', city: 'Munich', date: '2026-05-02', hours: 3 }]],
  ],
  [
    'Book a flight from Vienna to Madrid on 4 July for 2 people, business class',
    [
      [
        'book_flight',
        { from: 'Vienna', to: 'Madrid', departureDate: '4 July', passengers: 2, cabin: 'business' },
      ],
    ],
  ],
  [
    'two of us want to fly from Rome to Dublin on 3 May and back on 10 May',
    [
      [
        'book_flight',
        { from: 'Rome', to: 'Dublin', departureDate: '3 May', passengers: 2, returnDate: '10 May' },
      ],
    ],
  ],
  [
    'I want to go to Prague from Hamburg next Friday, 1 passenger, economy',
    [
      [
        'book_flight',
        { from: 'Hamburg', to: 'Prague', departureDate: 'next Friday', passengers: 1, cabin: 'economy' },
      ],
    ],
  ],
  [
    'Flight Paris to Athens, 12 August, three passengers, returning 26 August',
    [
      [
        'book_flight',
        { from: 'Paris', to: 'Athens', departureDate: '12 August', passengers: 3, returnDate: '26 August' },
      ],
    ],
  ],
  [
    'log 25 kilometres of cycling, indoors, 60 minutes',
    [['log_workout', { activity: 'cycling', distanceKm: 25, minutes: 60, indoors: true }]],
  ],
  [
    'Rowing workout on Monday: 8 km, 40 min, not indoors',
    [['log_workout', { activity: 'rowing', distanceKm: 8, minutes: 40, date: 'Monday', indoors: false }]],
  ],
  [
    'Post a job ad for a Data Engineer in Zurich, permanent, 95,000 euros, remote possible',
    [
      [
        'post_job',
        { position: 'Data Engineer', city: 'Zurich', contract: 'permanent', salary: 95000, remote: true },
      ],
    ],
  ],
  [
    "we're looking for a graphic designer in Leeds on a temporary contract, skills Figma and Photoshop",
    [
      [
        'post_job',
        {
          position: 'graphic designer',
          city: 'Leeds',
          contract: 'temporary',
          skills: ['Figma', 'Photoshop'],
        },
      ],
    ],
  ],
  [
    'Publish an internship for a Marketing Assistant in Bristol, no remote work',
    [
      [
        'post_job',
        { position: 'Marketing Assistant', city: 'Bristol', contract: 'internship', remote: false },
      ],
    ],
  ],
  ['add 200 units of SKU-00415', [['adjust_stock', { sku: 'SKU-00415', quantity: 200, action: 'add' }]]],
  [
    'SKU-00099: reserve 7 in W1',
    [['adjust_stock', { sku: 'SKU-00099', quantity: 7, action: 'reserve', warehouse: 'W1' }]],
  ],
  [
    'Book a flight from Oslo to Rome on 3 May for one person and rent a small car in Rome from 3 May for 4 days',
    [
      ['book_flight', { from: 'Oslo', to: 'Rome', departureDate: '3 May', passengers: 1 }],
      ['rent_car', { carClass: 'small', pickupCity: 'Rome', pickupDate: '3 May', days: 4 }],
    ],
  ],
  [
    'Log 5 km running and 12 km cycling',
    [
      ['log_workout', { activity: 'running', distanceKm: 5 }],
      ['log_workout', { activity: 'cycling', distanceKm: 12 }],
    ],
  ],
])('%s', (query, calls) => {
  expect(plan(query)).toEqual(calls);
});

test.each<[string, string | undefined]>([
  ['Send a parcel of 2 kg to Ida Frank', 'address'],
  ['Rent a van in Bonn for 3 days', 'pickupDate'],
  ['Record an expense for travel on Monday', 'amount'],
  ['Schedule a meeting on Friday at 11:00', 'title'],
  ['Order 10 lilies for Saturday', 'recipient'],
  ['Turn the heating in the office up', 'temperature'],
  ['Book a flight to Nice on 9 June for 2 passengers', 'from'],
  ['Book me a hotel in Lisbon for 3 nights', undefined],
  ['What does a flight to Rome cost?', undefined],
  ['Cancel the meeting on Friday', undefined],
  ['Tell me something about tulips', undefined],
  ['How far did I run last week?', undefined],
  ['Remind me to call Anna at 5pm', undefined],
])('refused: %s, missing %s', (query, missing) => {
  expect(missingIn(query)).toBe(missing);
});

function missingIn(query: string): unknown {
  try {
    return plan(query);
  } catch (error) {
    if (!isPlainEnglishError(error)) throw error;
    return error.details['missing'];
  }
}
