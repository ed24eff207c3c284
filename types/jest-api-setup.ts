// A noisy machine gets a second chance, as in the journeys: `npm test` names the tests that needed it.
if (process.env.SECOND_TRY) jest.retryTimes(1);
