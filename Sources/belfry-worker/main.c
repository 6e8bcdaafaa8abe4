// The program is in Swift, and its main in C: a main in Swift compiles all that it imports once more.
void belfry_worker_main(void);

int main(void) { belfry_worker_main(); }
