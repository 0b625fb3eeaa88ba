#include "context_graph/threads.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cg {
namespace {

// Looks for a while whether something is so, as long as it would take to wake a thread that sleeps. It does not yield: a thread
// that yields on a busy machine comes back after milliseconds, one that is woken at once.
template <class Condition>
void look_for(const Condition& condition) {
    constexpr std::chrono::microseconds A_WAKE{30};
    const auto end = std::chrono::steady_clock::now() + A_WAKE;
    while (!condition() && std::chrono::steady_clock::now() < end) {
#ifdef CG_X86
        __builtin_ia32_pause();
#endif
    }
}

class Pool {
   public:
    const pid_t owner = getpid();

    void run(int tasks, const std::function<void(int)>& work) {
        std::unique_lock<std::mutex> turn(turn_, std::try_to_lock);
        if (!turn.owns_lock()) {
            for (int task = 0; task < tasks; ++task) work(task);
            return;
        }
        {
            std::lock_guard<std::mutex> lock(mutex_);
            while (static_cast<int>(workers_.size()) < tasks - 1) workers_.emplace_back([this] { serve(); });
            work_ = &work;
            tasks_ = tasks;
            next_ = 0;
            unfinished_ = tasks;
            error_ = nullptr;
        }
        wake_.notify_all();
        take_tasks();
        look_for([this] { return unfinished_ == 0; });
        std::unique_lock<std::mutex> lock(mutex_);
        done_.wait(lock, [this] { return unfinished_ == 0; });
        work_ = nullptr;
        if (error_) std::rethrow_exception(error_);
    }

   private:
    void take_tasks() {
        std::unique_lock<std::mutex> lock(mutex_);
        while (work_ && next_ < tasks_) {
            const int task = next_++;
            const auto* work = work_;
            lock.unlock();
            std::exception_ptr error;
            try {
                (*work)(task);
            } catch (...) {
                error = std::current_exception();
            }
            lock.lock();
            if (error && !error_) error_ = error;
            if (--unfinished_ == 0) done_.notify_all();
        }
    }

    void serve() {
        for (;;) {
            look_for([this] { return next_ < tasks_; });
            {
                std::unique_lock<std::mutex> lock(mutex_);
                wake_.wait(lock, [this] { return work_ && next_ < tasks_; });
            }
            take_tasks();
        }
    }

    std::mutex turn_, mutex_;
    std::condition_variable wake_, done_;
    std::vector<std::thread> workers_;
    const std::function<void(int)>* work_ = nullptr;
    std::atomic<int> tasks_ = 0, next_ = 0, unfinished_ = 0;  // written under mutex_
    std::exception_ptr error_;
};

// A fork copies the pool but not its threads, so a child starts its own and leaves the dead copy alone.
// Never destroyed: workers may still sleep in it while the process exits.
Pool& pool() {
    static std::atomic<Pool*> current{nullptr};
    Pool* found = current.load();
    if (found == nullptr || found->owner != getpid()) {
        Pool* fresh = new Pool;
        if (current.compare_exchange_strong(found, fresh)) return *fresh;
        delete fresh;
        return *current.load();
    }
    return *found;
}

}  // namespace

void run_tasks(int tasks, const std::function<void(int)>& work) {
    if (tasks == 1) {
        work(0);
    } else if (tasks > 1) {
        pool().run(tasks, work);
    }
}

int worth_waking(int threads, int64_t work) {
    return static_cast<int>(std::clamp<int64_t>(work >> 20, 1, std::max(threads, 1)));
}

void split(int64_t n, int parts, const std::function<void(int, int64_t, int64_t)>& work) {
    run_tasks(parts, [&](int part) { work(part, n * part / parts, n * (part + 1) / parts); });
}

}  // namespace cg
