/* Everything happens in threads_before_main.c. */
int wait_for_threads(void);

int main(void)
{
    return wait_for_threads();
}
