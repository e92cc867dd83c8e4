import { dice, generated, pick, type World } from "../worlds/world.js";

const roll = dice(227);
const pad = (value: number) => String(value).padStart(2, "0");
const FIRST = [
  "Noah",
  "Mia",
  "Liam",
  "Zoe",
  "Omar",
  "Lea",
  "Paul",
  "Nina",
  "Hugo",
  "Ruth",
  "Sven",
  "Tara",
  "Igor",
  "Wanda",
];
const LAST = [
  "Baker",
  "Chavez",
  "Dunn",
  "Endo",
  "Frost",
  "Gill",
  "Hale",
  "Irwin",
  "Jung",
  "Kemp",
  "Lund",
  "Moss",
  "North",
  "Otis",
];

export const hospital: World = {
  name: "hospital",
  tables: {
    patients: generated(
      "patient_id,first_name,last_name,gender,date_of_birth,blood_type,city,insurance_provider",
      14,
      (id) => [
        id,
        pick(FIRST, id - 1),
        pick(LAST, id - 1),
        pick(["Male", "Female"], roll(2)),
        `19${pad(40 + roll(60))}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
        pick(["A+", "O-", "B+", "AB+"], roll(4)),
        pick(["Dayton", "Salem", "Troy"], roll(3)),
        pick(["MediCo", "HealthPlus", ""], roll(3)),
      ],
    ),
    doctors:
      "doctor_id,full_name,specialty,years_of_experience,department_id\n1,Dr. Amir Said,Cardiology,12,1\n2,Dr. Beth Cole,Neurology,7,2\n3,Dr. Carl Ruiz,Cardiology,21,1\n4,Dr. Dina Wolf,Pediatrics,4,3\n5,Dr. Evan Park,Oncology,15,4",
    departments:
      "department_id,department_name,floor,budget\n1,Heart Center,3,1200000\n2,Brain Institute,4,950000\n3,Children's Ward,1,610000\n4,Cancer Unit,5,1750000",
    appointments: generated(
      "appointment_id,patient_id,doctor_id,appointment_date,duration_min,outcome,bill_amount",
      90,
      (id) => [
        id,
        1 + roll(13),
        1 + roll(5),
        `202${1 + roll(3)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
        10 + roll(8) * 5,
        pick(["Completed", "No-show", "Completed", "Rescheduled"], roll(4)),
        40 + roll(700),
      ],
    ),
    prescriptions: generated("prescription_id,appointment_id,medication,dosage_mg,refills", 60, (id) => [
      id,
      1 + roll(90),
      pick(["Atorvastatin", "Ibuprofen", "Amoxicillin", "Metformin"], roll(4)),
      pick([10, 200, 250, 500], roll(4)),
      roll(5),
    ]),
  },
  questions: [
    {
      ask: "How many female patients live in Salem?",
      gold: "SELECT count(*) FROM patients WHERE gender='Female' AND city='Salem'",
    },
    {
      ask: "Which doctor has the most years of experience?",
      gold: "SELECT full_name FROM doctors ORDER BY years_of_experience DESC LIMIT 1",
    },
    {
      ask: "What is the total billed amount for appointments in 2022?",
      gold: "SELECT sum(bill_amount) FROM appointments WHERE year(appointment_date)=2022",
    },
    {
      ask: "List the full names of all cardiologists.",
      gold: "SELECT full_name FROM doctors WHERE specialty='Cardiology'",
    },
    {
      ask: "What share of appointments were no-shows (as a percentage)?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE outcome='No-show')/count(*) FROM appointments",
    },
    {
      ask: "Which department has the largest budget and on which floor is it?",
      gold: "SELECT department_name, floor FROM departments ORDER BY budget DESC LIMIT 1",
    },
    {
      ask: "How many times was Ibuprofen prescribed?",
      gold: "SELECT count(*) FROM prescriptions WHERE medication='Ibuprofen'",
    },
    {
      ask: "Who is the oldest patient? Return first and last name.",
      gold: "SELECT first_name, last_name FROM patients ORDER BY date_of_birth LIMIT 1",
    },
    {
      ask: "How many appointments did Dr. Beth Cole have with Mia Chavez?",
      gold: "SELECT count(*) FROM appointments JOIN doctors USING (doctor_id) JOIN patients USING (patient_id) WHERE full_name='Dr. Beth Cole' AND first_name='Mia' AND last_name='Chavez'",
    },
    {
      ask: "What is the average duration of completed appointments per specialty?",
      gold: "SELECT specialty, avg(duration_min) FROM appointments JOIN doctors USING (doctor_id) WHERE outcome='Completed' GROUP BY 1",
    },
    {
      ask: "How many patients have no insurance provider?",
      gold: "SELECT count(*) FROM patients WHERE insurance_provider IS NULL",
    },
    {
      ask: "Which patients never had an appointment?",
      gold: "SELECT first_name, last_name FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM appointments)",
    },
    {
      ask: "What is the most frequently prescribed medication?",
      gold: "WITH c AS (SELECT medication, count(*) n FROM prescriptions GROUP BY 1) SELECT medication FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What is the average bill amount of appointments in the Heart Center?",
      gold: "SELECT avg(bill_amount) FROM appointments JOIN doctors USING (doctor_id) JOIN departments USING (department_id) WHERE department_name='Heart Center'",
    },
    {
      ask: "Which city has the fewest patients?",
      gold: "WITH c AS (SELECT city, count(*) n FROM patients GROUP BY 1) SELECT city FROM c WHERE n=(SELECT min(n) FROM c)",
    },
    {
      ask: "Give the blood type and date of birth of Omar Frost.",
      gold: "SELECT blood_type, date_of_birth FROM patients WHERE first_name='Omar' AND last_name='Frost'",
    },
    {
      ask: "How many prescriptions had a dosage of 250 mg or more?",
      gold: "SELECT count(*) FROM prescriptions WHERE dosage_mg>=250",
    },
    {
      ask: "What is the difference between the budgets of the Cancer Unit and the Brain Institute?",
      gold: "SELECT (SELECT budget FROM departments WHERE department_name='Cancer Unit')-(SELECT budget FROM departments WHERE department_name='Brain Institute')",
    },
    {
      ask: "How many distinct patients did each doctor see? Show the doctor's name and the count.",
      gold: "SELECT full_name, count(DISTINCT patient_id) FROM appointments JOIN doctors USING (doctor_id) GROUP BY 1",
    },
    {
      ask: "On what date was the most expensive appointment?",
      gold: "SELECT appointment_date FROM appointments WHERE bill_amount=(SELECT max(bill_amount) FROM appointments)",
    },
  ],
};
