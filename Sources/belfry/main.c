// The program is in Swift, and its main in C: a main in Swift compiles all that it imports once more.
void belfry_main(void);

int main(void) { belfry_main(); }
