process.stdout.write("daw-eval\n");
