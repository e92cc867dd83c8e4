import { stem } from "./stem.js";

/** Words that people use for the same field. A word may be in several groups. */
const GROUPS = `
name title label called named
price cost fee charge
salary wage pay earnings compensation
income revenue earnings
revenue sales turnover
amount sum value total money
country nation nationality
website url web homepage link page site
phone telephone mobile
zip postal postcode
sex gender
birthday dob birth born birthdate
score points grade mark
quantity units qty
location place address venue situated located
type kind category sort
category class group
id identifier
percentage percent pct rate share proportion
altitude elevation alt
altitude height
longitude lng lon
latitude lat
coordinates lat latitude lng lon longitude
rain precipitation rainfall
movie film
author writer
employee staff worker
customer client buyer
company firm organization business
weight mass
length duration
duration time
population inhabitants residents
team club squad
match game fixture
doctor physician
medicine drug medication
student pupil
teacher instructor professor
manager boss head
date day time when
year season
start begin commencement
end finish stop
created creation registered
city town
region area
state province
speed pace velocity
views viewed
rating rated
status state condition
sum total
count number
department division
car vehicle automobile
ship vessel
flight trip journey
order purchase
bought purchased ordered
product item goods
remark note comment
rank position place standing
temperature temp
profit margin gain
supplier vendor provider
origin departure depart source
destination arrival arrive
album record
song track
singer artist musician
painting artwork
painter artist
goal score
diagnosis disease condition
email mail
surname last family
forename first given
creator author maker
founder founded
establish founded established
publisher published
released release
stock inventory
currency money
job occupation profession title position
employer company
`;

const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = groupsByWord(GROUPS);

function groupsByWord(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const map = new Map<string, Set<string>>();
  for (const line of text.trim().split("\n")) {
    const words = line.split(" ").map(stem);
    for (const word of words) {
      const known = map.get(word) ?? new Set<string>();
      for (const other of words) if (other !== word) known.add(other);
      map.set(word, known);
    }
  }
  return map;
}

/** Whether two stems are listed as names of one thing. */
export function synonymous(left: string, right: string): boolean {
  return SYNONYMS.get(left)?.has(right) ?? false;
}
